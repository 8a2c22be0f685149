package io.volume4j.spi.mount;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A filesystem to mount.
 *
 * @param source a device, an export or a name, as the filesystem expects it
 * @param options mount options as in {@code /etc/fstab}; those that correspond to flags of mount(2) become flags
 * @since 0.1.0
 */
public record FilesystemMount(String fsType, String source, boolean readOnly, List<String> options) {
    public FilesystemMount {
        options = Collections.unmodifiableList(new ArrayList<>(options));
    }

    /**
     * The single options among mount options, in order: {@code /etc/fstab} separates them by commas. A comma in quotes belongs to a
     * value, as in {@code context="system_u:object_r:t:s0:c1,c2"}.
     */
    public static List<String> words(List<String> options) {
        List<String> words = new ArrayList<>();
        for (String option : options) {
            int start = 0;
            boolean quoted = false;
            for (int i = 0; i <= option.length(); i++) {
                if (i < option.length() && option.charAt(i) == '"') {
                    quoted = !quoted;
                } else if (i == option.length() || (option.charAt(i) == ',' && !quoted)) {
                    String word = option.substring(start, i).trim();
                    if (!word.isEmpty()) {
                        words.add(word);
                    }
                    start = i + 1;
                }
            }
        }
        return words;
    }
}
