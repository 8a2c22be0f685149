package io.volume4j.spi.mount;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which user and group IDs processes in a user namespace have, and which they are outside of it; user_namespaces(7). Through a mount
 * with such a mapping, files that belong to an ID of the inside on their filesystem are seen as those of the ID of the outside, and new
 * files go the other way; mount_setattr(2), "ID-mapped mounts".
 *
 * @param users ranges of user IDs; at least one
 * @param groups ranges of group IDs; at least one
 * @since 0.1.0
 */
public record IdMapping(List<Range> users, List<Range> groups) {
    /** What the kernel takes; user_namespaces(7). */
    private static final int MOST_RANGES = 340;

    /**
     * A mapping.
     *
     * @throws IllegalArgumentException if there is no range of users or of groups, more than 340 of either, or two that share an ID on
     *     the same side
     */
    public IdMapping {
        users = checked("users", users);
        groups = checked("groups", groups);
    }

    /** The IDs from 0 on inside are those from {@code outside} on, for users and groups alike. */
    public static IdMapping shifted(long outside, long count) {
        List<Range> ranges = List.of(new Range(0, outside, count));
        return new IdMapping(ranges, ranges);
    }

    /**
     * IDs that follow each other.
     *
     * @param inside the first in the namespace, and on the filesystem
     * @param outside the first on the machine, and through the mount
     * @param count how many
     */
    public record Range(long inside, long outside, long count) {
        /** IDs have 32 bits, and the last means none. */
        private static final long LIMIT = 0xFFFF_FFFFL;

        /**
         * A range.
         *
         * @throws IllegalArgumentException if it is empty or has what is no ID
         */
        public Range {
            if (inside < 0 || outside < 0 || count < 1 || inside > LIMIT - count || outside > LIMIT - count) {
                throw new IllegalArgumentException(
                        "no range of IDs of 32 bits: " + inside + ":" + outside + ":" + count);
            }
        }

        private boolean meets(Range other) {
            return (inside < other.inside + other.count && other.inside < inside + count)
                    || (outside < other.outside + other.count && other.outside < outside + count);
        }

        /** As newuidmap(1) and {@code /etc/subuid} separate their parts. */
        @Override
        public String toString() {
            return inside + ":" + outside + ":" + count;
        }
    }

    private static List<Range> checked(String what, List<Range> ranges) {
        List<Range> all = Collections.unmodifiableList(new ArrayList<>(ranges));
        if (all.isEmpty() || all.size() > MOST_RANGES) {
            throw new IllegalArgumentException(what + " must have 1 to " + MOST_RANGES + " ranges, not " + all.size());
        }
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (all.get(i).meets(all.get(j))) {
                    throw new IllegalArgumentException(
                            what + " has two ranges that share an ID: " + all.get(j) + " and " + all.get(i));
                }
            }
        }
        return all;
    }

    /** For people: {@code users 0:100000:65536, groups 0:100000:65536}. */
    @Override
    public String toString() {
        return "users " + text(users) + ", groups " + text(groups);
    }

    private static String text(List<Range> ranges) {
        return ranges.stream().map(Range::toString).collect(Collectors.joining(" "));
    }
}
