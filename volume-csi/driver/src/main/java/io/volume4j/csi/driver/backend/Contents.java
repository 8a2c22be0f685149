package io.volume4j.csi.driver.backend;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The stored content. Each volume and each snapshot has a directory of files for mounted volumes and a sparse image for
 * block volumes. Both are created at the first use. Guarded by the backend's lock.
 */
final class Contents {
    /** Ids that are their directory's name. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9._]{0,127}");

    private final Path root;

    Contents(Path root) {
        this.root = root;
    }

    Path files(String id) {
        return made(directory(id).resolve("files"));
    }

    /** The image, at least as large as the volume. */
    Path image(String id, long bytes) {
        Path image = directory(id).resolve("image");
        made(directory(id));
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            if (file.length() < bytes) {
                file.setLength(bytes);
            }
            return image;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean hasImage(String id) {
        return Files.exists(directory(id).resolve("image"));
    }

    /** Replaces the content of the second with that of the first, also after a crash during an earlier copy. */
    void copy(String from, String to) {
        delete(to);
        Path source = directory(from);
        if (!Files.isDirectory(source)) {
            return;
        }
        try (Stream<Path> all = Files.walk(source)) {
            List<Path> parentsFirst = all.toList();
            for (Path each : parentsFirst) {
                Path target = directory(to).resolve(source.relativize(each).toString());
                if (each.equals(source.resolve("image"))) {
                    copySparse(each, target);
                } else {
                    Files.copy(each, target, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Removes all content of the id. Idempotent. There must be no mount below the directory; bind mounts of it are
     * elsewhere.
     */
    void delete(String id) {
        Path directory = directory(id);
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> childrenFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : childrenFirst) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The size of the files in bytes. */
    long used(String id) {
        long sum = 0;
        for (Path file : regularFiles(id)) {
            try {
                sum += Files.size(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sum;
    }

    /** The number of files and directories. */
    long entries(String id) {
        Path files = files(id);
        try (Stream<Path> all = Files.walk(files)) {
            return all.count() - 1;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One hash for each block with content: of the image, or of the files as if they were concatenated. */
    List<Long> blocks(String id, int blockBytes) {
        List<Long> hashes = new ArrayList<>();
        if (hasImage(id)) {
            hash(directory(id).resolve("image"), blockBytes, hashes);
        } else {
            regularFiles(id).forEach(file -> hash(file, blockBytes, hashes));
        }
        return hashes;
    }

    private static void hash(Path file, int blockBytes, List<Long> hashes) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer block = ByteBuffer.allocate(blockBytes);
            while (channel.read(block.clear()) > 0) {
                block.flip();
                long hash = 0;
                while (block.hasRemaining()) {
                    hash = hash * 31 + block.get();
                }
                hashes.add(hash);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Path> regularFiles(String id) {
        Path files = directory(id).resolve("files");
        if (!Files.isDirectory(files)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(files)) {
            return all.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copySparse(Path from, Path to) throws IOException {
        try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
                RandomAccessFile out = new RandomAccessFile(to.toFile(), "rw")) {
            out.setLength(in.size());
            ByteBuffer block = ByteBuffer.allocate(1 << 16);
            byte[] zeros = new byte[1 << 16];
            for (long at = 0; in.read(block.clear(), at) > 0; at += block.position()) {
                block.flip();
                if (!block.equals(ByteBuffer.wrap(zeros, 0, block.limit()))) {
                    out.getChannel().write(block.duplicate(), at);
                }
                block.position(block.limit());
            }
        }
    }

    /**
     * The directory of an id. Callers and users choose the ids of inline and preset volumes, and such an id may be a path: as a name
     * of a directory it would lead out of the root, and deleting the volume would delete what is there.
     */
    private Path directory(String id) {
        return root.resolve(PLAIN.matcher(id).matches() ? id : "%" + digest(id));
    }

    private static String digest(String id) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static Path made(Path directory) {
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
