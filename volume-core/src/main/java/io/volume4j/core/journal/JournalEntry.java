package io.volume4j.core.journal;

import static java.util.Objects.requireNonNull;

/**
 * One record as its owner knows it: a type and opaque bytes. Immutable by contract, not by copy: neither the owner nor
 * the journal changes the array, because copying every payload would double the garbage of the hottest path.
 */
public final class JournalEntry {
    private final byte type;
    private final byte[] payload;

    /**
     * @param type 1 to 127; zero and negative types are the journal's own
     * @param payload may be empty; must not be changed afterwards
     */
    public JournalEntry(int type, byte[] payload) {
        if (type < 1 || type > Byte.MAX_VALUE) {
            throw new IllegalArgumentException("record type " + type + " is not in 1..127");
        }
        this.type = (byte) type;
        this.payload = requireNonNull(payload, "payload");
    }

    /** 1 to 127, given a meaning by the owner. */
    public int type() {
        return type;
    }

    /** The bytes themselves, not a copy. */
    public byte[] payload() {
        return payload;
    }

    /** Never shows the payload: the journal cannot know what is in it. */
    @Override
    public String toString() {
        return "JournalEntry[type=" + type + ", bytes=" + payload.length + "]";
    }
}
