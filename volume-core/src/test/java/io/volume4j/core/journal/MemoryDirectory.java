package io.volume4j.core.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A directory whose page cache and disk are kept apart, so that a power loss can lose, reorder and tear whatever was not
 * synced. Faults and crashes are counted in effects: every write, sync, creation, rename and deletion is one.
 */
final class MemoryDirectory implements JournalDirectory {
    static final int SECTOR = 512;

    /** One file: what programs see, and what the disk has. */
    static final class Inode {
        byte[] seen = new byte[0];
        byte[] onDisk = new byte[0];
        final List<Change> unsynced = new ArrayList<>();
        boolean unreadable;
    }

    private static final class Change {
        final int offset;
        final byte[] bytes;

        Change(int offset, byte[] bytes) {
            this.offset = offset;
            this.bytes = bytes;
        }
    }

    private final Map<String, Inode> seen = new TreeMap<>();
    private Map<String, Inode> onDisk = new TreeMap<>();
    private boolean locked;
    private int effects;
    private int dieAt = Integer.MAX_VALUE;
    private int failAt = Integer.MAX_VALUE;
    private int shortWrites = Integer.MAX_VALUE;
    private long capacity = Long.MAX_VALUE;
    private int incarnation;
    private int unreadableBlock = -1;

    /** How many effects there have been. */
    int effects() {
        return effects;
    }

    /** The machine stops at the effect with this number, counted from zero; a write may be torn by it. */
    void dieAt(int effect) {
        dieAt = effect;
    }

    boolean dead() {
        return effects > dieAt;
    }

    /**
     * The effect with this number fails: a write after its first half, anything else before it has happened. What a failed
     * sync should have written is forgotten by the cache.
     */
    void failAt(int effect) {
        failAt = effect;
    }

    /** No write takes more than so many bytes. */
    void limitWrites(int bytes) {
        shortWrites = bytes;
    }

    /** So many bytes fit in all files together. */
    void limitSpace(long bytes) {
        capacity = bytes;
    }

    /** Every read that touches this block of 4096 bytes fails. */
    void makeUnreadable(String name, int block) {
        file(name).unreadable = true;
        unreadableBlock = block;
    }

    byte[] content(String name) {
        return file(name).seen.clone();
    }

    /** Puts a file on the disk as if it had always been there. */
    void put(String name, byte[] content) {
        Inode inode = new Inode();
        inode.seen = content.clone();
        inode.onDisk = content.clone();
        seen.put(name, inode);
        onDisk.put(name, inode);
    }

    List<String> names() {
        return List.copyOf(seen.keySet());
    }

    /** The process dies; the page cache lives. Its open files and its lock are gone. */
    void kill() {
        incarnation++;
        locked = false;
        dieAt = Integer.MAX_VALUE;
    }

    /** The machine dies: each unsynced sector is on the disk or is not, and so is each suffix of the renames. */
    void powerLoss(RandomGenerator random) {
        kill();
        if (random.nextBoolean()) {
            onDisk = new TreeMap<>(seen);
        }
        seen.clear();
        seen.putAll(onDisk);
        seen.values().forEach(inode -> loseSectors(inode, random));
        onDisk = new TreeMap<>(seen);
    }

    private static void loseSectors(Inode inode, RandomGenerator random) {
        byte[] disk = inode.onDisk;
        for (Change change : inode.unsynced) {
            for (int at = 0; at < change.bytes.length; ) {
                int next = Math.min(change.bytes.length, at + SECTOR - (change.offset + at) % SECTOR);
                if (random.nextBoolean()) {
                    int end = change.offset + next;
                    disk = disk.length < end ? Arrays.copyOf(disk, end) : disk.clone();
                    System.arraycopy(change.bytes, at, disk, change.offset + at, next - at);
                }
                at = next;
            }
        }
        inode.onDisk = disk;
        inode.seen = disk;
        inode.unsynced.clear();
    }

    @Override
    public Closeable lock(String owner) {
        if (locked) {
            throw new JournalException(JournalException.Kind.LOCKED, "memory directory is locked", "unlock it");
        }
        locked = true;
        int mine = incarnation;
        return () -> {
            if (mine == incarnation) {
                locked = false;
            }
        };
    }

    @Override
    public String describe(String name) {
        return "memory:" + name;
    }

    @Override
    public boolean exists(String name) {
        return seen.containsKey(name);
    }

    @Override
    public JournalFile open(String name) throws IOException {
        if (!seen.containsKey(name)) {
            throw new IOException("no such file: " + name);
        }
        return new OpenFile(file(name), incarnation);
    }

    @Override
    public JournalFile create(String name) throws IOException {
        effect();
        Inode inode = new Inode();
        seen.put(name, inode);
        return new OpenFile(inode, incarnation);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        effect();
        Inode inode = file(from);
        seen.remove(from);
        seen.put(to, inode);
    }

    @Override
    public void deleteIfExists(String name) throws IOException {
        if (seen.containsKey(name)) {
            effect();
            seen.remove(name);
        }
    }

    @Override
    public void sync() throws IOException {
        effect();
        onDisk = new TreeMap<>(seen);
    }

    private Inode file(String name) {
        Inode inode = seen.get(name);
        if (inode == null) {
            throw new AssertionError("no file " + name + " among " + seen.keySet());
        }
        return inode;
    }

    private void effect() throws IOException {
        int number = effects++;
        if (number >= dieAt) {
            throw new IOException("the machine is dead");
        }
        if (number == failAt) {
            throw new IOException("Input/output error");
        }
    }

    private final class OpenFile implements JournalFile {
        private final Inode inode;
        private final int mine;
        private boolean closed;

        OpenFile(Inode inode, int mine) {
            this.inode = inode;
            this.mine = mine;
        }

        @Override
        public long size() throws IOException {
            requireOpen();
            return inode.seen.length;
        }

        @Override
        public int read(ByteBuffer target, long offset) throws IOException {
            requireOpen();
            int from = (int) offset;
            int count = Math.min(target.remaining(), inode.seen.length - from);
            if (count <= 0) {
                return -1;
            }
            if (inode.unreadable && from < (unreadableBlock + 1) * 4096 && from + count > unreadableBlock * 4096) {
                throw new IOException("Input/output error");
            }
            target.put(inode.seen, from, count);
            return count;
        }

        @Override
        public int write(ByteBuffer source, long offset) throws IOException {
            requireOpen();
            int number = effects;
            int count = Math.min(source.remaining(), shortWrites);
            count = (int) Math.min(count, Math.max(0, room() + inode.seen.length - offset));
            if (count == 0 && source.hasRemaining()) {
                throw new IOException("No space left on device");
            }
            byte[] bytes = new byte[count];
            if (number == dieAt || number == failAt) {
                // Torn: the first half reached the cache.
                source.duplicate().get(bytes);
                apply((int) offset, Arrays.copyOf(bytes, count / 2));
            }
            effect();
            source.get(bytes);
            apply((int) offset, bytes);
            return count;
        }

        private long room() {
            return capacity
                    - seen.values().stream().mapToLong(file -> file.seen.length).sum();
        }

        private void apply(int offset, byte[] bytes) {
            int end = offset + bytes.length;
            if (inode.seen.length < end) {
                inode.seen = Arrays.copyOf(inode.seen, end);
            }
            System.arraycopy(bytes, 0, inode.seen, offset, bytes.length);
            inode.unsynced.add(new Change(offset, bytes));
        }

        @Override
        public void sync() throws IOException {
            requireOpen();
            if (effects == failAt) {
                inode.unsynced.clear();
            }
            effect();
            inode.onDisk = inode.seen.clone();
            inode.unsynced.clear();
        }

        @Override
        public void close() {
            closed = true;
        }

        private void requireOpen() throws IOException {
            if (closed || mine != incarnation) {
                throw new IOException("the file is closed");
            }
        }
    }
}
