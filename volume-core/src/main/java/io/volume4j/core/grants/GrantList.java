package io.volume4j.core.grants;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attachments that a node may use, by the text of the volume's id. The text has one line for each:
 *
 * <pre>{@code <volume id> <name of the VolumeAttachment> <its UID> <its generation>}</pre>
 *
 * A node uses a line only if the VolumeAttachment in the store says the same.
 */
public record GrantList(Map<String, Grant> grants) {
    private static final GrantList NONE = new GrantList(Map.of());

    public GrantList {
        grants = Collections.unmodifiableMap(new LinkedHashMap<>(grants));
    }

    /**
     * One attachment that was granted.
     *
     * @param attachment name of the VolumeAttachment
     * @param uid of the VolumeAttachment; another one means that the volume was detached in between
     * @param generation of the VolumeAttachment when it was granted
     */
    public record Grant(String attachment, String uid, String generation) {}

    public static GrantList none() {
        return NONE;
    }

    /** Parses the text of {@link #text()}; empty if it is not valid. */
    public static Optional<GrantList> parse(String text) {
        Map<String, Grant> grants = new LinkedHashMap<>();
        String[] words = new String[4];
        int start = 0;
        while (start < text.length()) {
            int end = Lines.end(text, start);
            if (end > start) {
                if (!Lines.words(text, start, end, words)
                        || words[0].isEmpty()
                        || words[1].isEmpty()
                        || words[2].isEmpty()) {
                    return Optional.empty();
                }
                grants.put(Lines.unescape(words[0]), new Grant(words[1], words[2], words[3]));
            }
            start = end + 1;
        }
        return Optional.of(new GrantList(grants));
    }

    /** The grant of the volume, null if there is none. */
    public @Nullable Grant of(String volume) {
        return grants.get(volume);
    }

    /** Whether a text of {@link #text()} contains exactly this grant. */
    public static boolean holds(String text, String volume, Grant grant) {
        StringBuilder wanted = new StringBuilder(128).append('\n');
        line(wanted, volume, grant);
        return text.contains(wanted) || text.startsWith(wanted.substring(1));
    }

    public String text() {
        StringBuilder text = new StringBuilder(grants.size() * 128);
        grants.forEach((volume, grant) -> line(text, volume, grant));
        return text.toString();
    }

    private static void line(StringBuilder text, String volume, Grant grant) {
        text.append(Lines.escape(volume))
                .append(' ')
                .append(grant.attachment())
                .append(' ')
                .append(grant.uid())
                .append(' ')
                .append(Lines.escape(grant.generation()))
                .append('\n');
    }
}
