package io.volume4j.spi.mount;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Maps the user and group IDs inside a user namespace to those outside it; user_namespaces(7). A mount with such a
 * mapping shows a file that belongs to an inside ID on its filesystem as a file of the outside ID. For new files the
 * mount maps in the other direction; mount_setattr(2), "ID-mapped mounts".
 *
 * @param users ranges of user IDs; at least one
 * @param groups ranges of group IDs; at least one
 * @since 0.1.0
 */
public record IdMapping(List<Range> users, List<Range> groups) {
    /** What the kernel takes; user_namespaces(7). */
    private static final int MOST_RANGES = 340;

    /**
     * A mapping, with at most 340 ranges each.
     * @throws IllegalArgumentException if there is no range of users or of groups, more than 340 of either, or two
     *     that share an ID on the same side
     */
    public IdMapping {
        users = checked("users", users);
        groups = checked("groups", groups);
    }

    /** Maps the inside IDs from 0 to the outside IDs from {@code outside}, for users and groups alike. */
    public static IdMapping shifted(long outside, long count) {
        List<Range> ranges = List.of(new Range(0, outside, count));
        return new IdMapping(ranges, ranges);
    }

    /**
     * A range of consecutive IDs.
     *
     * @param inside the first ID in the namespace and on the filesystem
     * @param outside the first ID on the machine and through the mount
     * @param count the number of IDs
     */
    public record Range(long inside, long outside, long count) {
        /** IDs have 32 bits, and the last means none. */
        private static final long LIMIT = 0xFFFF_FFFFL;

        /**
         * A range.
         *
         * @throws IllegalArgumentException if it is empty or contains a number that is not an ID
         */
        public Range {
            if (inside < 0 || outside < 0 || count < 1 || inside > LIMIT - count || outside > LIMIT - count) {
                throw new IllegalArgumentException(
                        "not a range of 32-bit IDs: " + inside + ":" + outside + ":" + count);
            }
        }

        private boolean meets(Range other) {
            return (inside < other.inside + other.count && other.inside < inside + count)
                    || (outside < other.outside + other.count && other.outside < outside + count);
        }

        /** The three numbers, separated by colons. */
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
