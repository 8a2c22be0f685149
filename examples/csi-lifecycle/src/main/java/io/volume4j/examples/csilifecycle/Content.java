package io.volume4j.examples.csilifecycle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The content that the program writes to a volume and reads back: a file in it or, for a block volume, its first block.
 */
final class Content {
    static final int BLOCK_BYTES = 4096;

    private final boolean block;
    private final byte[] bytes;

    Content(String run, boolean block) {
        this.block = block;
        byte[] text = ("written by csi-lifecycle, run " + run + "\n").getBytes(StandardCharsets.UTF_8);
        this.bytes = block ? Arrays.copyOf(text, BLOCK_BYTES) : text;
    }

    Path place(Path target) {
        return block ? target : target.resolve("csi-lifecycle.txt");
    }

    int size() {
        return bytes.length;
    }

    /** Writes a block of a block volume, also durable. */
    void writeAt(Path target, long offset) throws IOException {
        try (FileChannel out = FileChannel.open(target, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                out.write(buffer, offset + buffer.position());
            }
            out.force(true);
        }
    }

    /** Reads without a check of the content: the names in a directory, or a block of a block volume. */
    void look(Path target) throws IOException {
        if (block) {
            try (FileChannel in = FileChannel.open(target, StandardOpenOption.READ)) {
                in.read(ByteBuffer.allocate(BLOCK_BYTES));
            }
        } else {
            try (Stream<Path> names = Files.list(target)) {
                names.forEach(name -> {});
            }
        }
    }

    /** Durable on return, so that a snapshot contains it. */
    void write(Path target) throws IOException {
        StandardOpenOption[] how = block
                ? new StandardOpenOption[] {StandardOpenOption.WRITE}
                : new StandardOpenOption[] {StandardOpenOption.CREATE, StandardOpenOption.WRITE};
        try (FileChannel out = FileChannel.open(place(target), how)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                out.write(buffer);
            }
            out.force(true);
        }
    }

    /** Whether the target has the written content. */
    boolean isAt(Path target) throws IOException {
        if (!block) {
            return Files.exists(place(target)) && Arrays.equals(Files.readAllBytes(place(target)), bytes);
        }
        try (FileChannel in = FileChannel.open(target, StandardOpenOption.READ)) {
            ByteBuffer buffer = ByteBuffer.allocate(BLOCK_BYTES);
            int read = in.read(buffer);
            while (read > 0 && buffer.hasRemaining()) {
                read = in.read(buffer);
            }
            return Arrays.equals(buffer.array(), bytes);
        }
    }
}
