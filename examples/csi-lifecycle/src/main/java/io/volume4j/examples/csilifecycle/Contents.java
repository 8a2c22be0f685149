package io.volume4j.examples.csilifecycle;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes the contents of a journey's volumes, and checks them later. */
final class Contents {
    private final Arguments arguments;
    private final Console console;
    private final String run;
    private long writtenMoreAt = -1;

    Contents(Arguments arguments, Console console, String run) {
        this.arguments = arguments;
        this.console = console;
        this.run = run;
    }

    /** The offset of the additional block, negative if there is none. */
    long writtenMoreAt() {
        return writtenMoreAt;
    }

    private Content content(Item item) {
        return new Content(run, arguments.block() && !item.key().equals(Plan.INLINE));
    }

    void write(Item item) {
        Content content = content(item);
        demandSize(item.target(), arguments.block() && !item.key().equals(Plan.INLINE) ? item.bytes() : 0);
        try {
            content.write(item.target());
        } catch (IOException e) {
            throw new Failed(
                    "nothing can be written to " + content.place(item.target()) + ": " + e,
                    "a volume that is published for writing must take it; one that cannot be written to is tried with"
                            + " --access-mode SINGLE_NODE_READER_ONLY");
        }
        demandContent(item, content, "wrote and read");
    }

    /**
     * A filesystem may be smaller than its volume; a block device may not.
     *
     * @param least bytes that a block device must have, 0 if there is no limit
     */
    static void demandSize(Path target, long least) {
        if (least == 0) {
            return;
        }
        long size;
        try (FileChannel device = FileChannel.open(target, StandardOpenOption.READ)) {
            size = device.size();
        } catch (IOException e) {
            throw new Failed("the size of " + target + " cannot be read: " + e, "");
        }
        if (size < least) {
            throw new Failed(
                    "the device at " + target + " has " + Console.size(size) + ", and the volume "
                            + Console.size(least),
                    "a block volume must have the size that CreateVolume has told");
        }
    }

    void read(Item item) {
        demandContent(item, content(item), "read");
    }

    /**
     * In the middle of the initial size, away from the first block; not at the end, because a device may show its
     * expansion late.
     */
    void writeMore(Item item) {
        long offset = Math.max(1, arguments.size() / 2 / Content.BLOCK_BYTES) * Content.BLOCK_BYTES;
        try {
            content(item).writeAt(item.target(), offset);
        } catch (IOException e) {
            throw new Failed(
                    "nothing can be written to " + item.target() + " at byte " + offset + ": " + e,
                    "the device must show at least the --size that was asked for");
        }
        writtenMoreAt = offset;
        console.detail("%-30s %s".formatted("wrote at byte " + offset, item.target()));
    }

    void look(Item item) {
        boolean writable = !arguments.block()
                && MountTable.below(item.target()).stream()
                        .anyMatch(mount -> mount.at().equals(item.target()) && !mount.readOnly());
        if (writable) {
            throw new Failed(
                    "volume " + item.id() + " was published with readonly, and is mounted for writing at "
                            + item.target(),
                    "NodePublishVolume with readonly must mount read-only");
        }
        try {
            content(item).look(item.target());
        } catch (IOException e) {
            throw new Failed("nothing can be read at " + item.target() + ": " + e, "");
        }
        console.detail("%-30s %s".formatted("looked into it", item.target()));
    }

    private void demandContent(Item item, Content content, String what) {
        boolean there;
        try {
            there = content.isAt(item.target());
        } catch (IOException e) {
            throw new Failed("what was written to " + content.place(item.target()) + " cannot be read: " + e, "");
        }
        if (!there) {
            throw new Failed(
                    content.place(item.target()) + " does not hold what was written to the volume",
                    item.key().equals(Plan.MAIN)
                            ? "the volume's content must outlive its mounts"
                            : "a copy must hold what its source held");
        }
        console.detail("%-30s %s".formatted(what + " " + content.size() + " bytes", content.place(item.target())));
    }
}
