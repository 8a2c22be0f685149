package io.volume4j.core.linux.mount;

import io.volume4j.core.linux.sys.PathText;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Parses {@code /proc/PID/mountinfo}; proc_pid_mountinfo(5). Pure. */
final class MountInfoParser {
    private static final int FIXED_FIELDS = 6;

    private MountInfoParser() {}

    static List<MountEntry> parse(byte[] table) {
        List<MountEntry> entries = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < table.length; i++) {
            if (table[i] == '\n') {
                entries.add(line(table, start, i));
                start = i + 1;
            }
        }
        if (start < table.length) {
            entries.add(line(table, start, table.length));
        }
        return entries;
    }

    private static MountEntry line(byte[] table, int from, int to) {
        List<String> fields = new ArrayList<>(12);
        int start = from;
        for (int i = from; i <= to; i++) {
            if (i == to || table[i] == ' ') {
                fields.add(PathText.unescape(table, start, i));
                start = i + 1;
            }
        }
        // Optional fields (propagation) end with a lone dash.
        int dash = fields.size() <= FIXED_FIELDS
                ? -1
                : fields.subList(FIXED_FIELDS, fields.size()).indexOf("-");
        if (dash < 0 || fields.size() < FIXED_FIELDS + dash + 4) {
            throw damaged(table, from, to);
        }
        int rest = FIXED_FIELDS + dash + 1;
        try {
            return new MountEntry(
                    Long.parseLong(fields.get(0)),
                    Long.parseLong(fields.get(1)),
                    fields.get(2),
                    fields.get(3),
                    PathText.path(fields.get(4)),
                    List.of(fields.get(5).split(",")),
                    fields.get(rest),
                    fields.get(rest + 1),
                    List.of(fields.get(rest + 2).split(",")));
        } catch (NumberFormatException e) {
            throw damaged(table, from, to).withCause(e);
        }
    }

    private static VolumeException damaged(byte[] table, int from, int to) {
        String line = new String(table, from, to - from, StandardCharsets.ISO_8859_1);
        return VolumeException.transientFailure("cannot understand this line of /proc/self/mountinfo: " + line);
    }
}
