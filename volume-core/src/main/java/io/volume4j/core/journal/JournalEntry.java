package io.volume4j.core.journal;

import static java.util.Objects.requireNonNull;

/**
 * A record as its owner creates it: a type and opaque bytes. Immutable by contract, not by copy: neither the owner nor
 * the journal changes the array, because a copy of every payload would double the garbage of the most frequent
 * operation.
 */
public final class JournalEntry {
    private final byte type;
    private final byte[] payload;

    /**
     * @param type 1 to 127; zero and negative types are reserved for the journal
     * @param payload may be empty; must not be changed afterwards
     */
    public JournalEntry(int type, byte[] payload) {
        if (type < 1 || type > Byte.MAX_VALUE) {
            throw new IllegalArgumentException("record type " + type + " is not in 1..127");
        }
        this.type = (byte) type;
        this.payload = requireNonNull(payload, "payload");
    }

    /** 1 to 127; the owner defines its meaning. */
    public int type() {
        return type;
    }

    /** The array itself, not a copy. */
    public byte[] payload() {
        return payload;
    }

    /** Never contains the payload, which may be secret. */
    @Override
    public String toString() {
        return "JournalEntry[type=" + type + ", bytes=" + payload.length + "]";
    }
}
