package io.volume4j.core.journal;

import java.nio.charset.StandardCharsets;

/**
 * The identity of a journal's owner.
 *
 * @param nodeName the node's name
 * @param bootId identity of this boot of the machine, as in {@code /proc/sys/kernel/random/boot_id} (random(4))
 * @param rootId identity of the root directory, written there when it was first used
 */
public record JournalIdentity(String nodeName, String bootId, String rootId) {

    /** The longest part, in UTF-8 bytes; the journal's header has room for three of them. */
    public static final int MAX_PART_BYTES = 255;

    /** @throws IllegalArgumentException if a part is empty, too long or holds a control character */
    public JournalIdentity {
        requirePlain("node name", nodeName);
        requirePlain("boot id", bootId);
        requirePlain("root id", rootId);
    }

    private static void requirePlain(String what, String value) {
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > MAX_PART_BYTES) {
            throw new IllegalArgumentException(what + " has " + bytes + " bytes, not 1.." + MAX_PART_BYTES);
        }
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(what + " holds a control character");
        }
    }
}
