package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.journal.JournalException.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One owner per root directory, against this process and against another. */
class RootLockTest {
    /** A process that locks a file as POSIX has it, says whether it could, and holds on until its input ends. */
    private static final String OTHER_PROCESS = """
            import java.nio.channels.FileChannel;
            import java.nio.file.*;

            class OtherProcess {
                public static void main(String[] args) throws Exception {
                    try (var channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.CREATE,
                            StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                        System.out.println(channel.tryLock() == null ? "refused" : "locked");
                        System.in.read();
                    }
                }
            }
            """;

    @TempDir
    Path root;

    @Test
    void aSecondOwnerInThisProcessIsRefusedAndTheFirstKeepsItsLockAgainstOthers() throws Exception {
        try (RootLock first = RootLock.acquire(root, "first")) {
            for (int attempt = 0; attempt < 3; attempt++) {
                assertThatThrownBy(() -> RootLock.acquire(root, "second"))
                        .isInstanceOfSatisfying(JournalException.class, e -> {
                            assertThat(e.kind()).isEqualTo(Kind.LOCKED);
                            assertThat(e).hasMessageContaining(root.toString()).hasMessageContaining("this process");
                        });
            }

            assertThat(first).isNotNull();
            try (OtherProcess other = new OtherProcess(root.resolve(RootLock.LOCK))) {
                assertThat(other.answer()).isEqualTo("refused");
            }
        }
    }

    @Test
    void aRootLockedByAnotherProcessIsRefusedNamingItsHolder() throws Exception {
        RootLock.acquire(root, "pid 4711, node node-b").close();
        try (OtherProcess other = new OtherProcess(root.resolve(RootLock.LOCK))) {
            assertThat(other.answer()).isEqualTo("locked");

            assertThatThrownBy(() -> RootLock.acquire(root, "second"))
                    .isInstanceOfSatisfying(JournalException.class, e -> {
                        assertThat(e.kind()).isEqualTo(Kind.LOCKED);
                        assertThat(e)
                                .hasMessageContaining(root.toString())
                                .hasMessageContaining("another process (pid 4711, node node-b)");
                    });
            assertThat(openFiles()).isEmpty();
        }
        RootLock.acquire(root, "third").close();
    }

    /** Files below the root that this process has open, as far as the system tells. */
    private List<String> openFiles() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return List.of();
        }
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
            for (Path descriptor : all) {
                Path file = file(descriptor);
                if (file.startsWith(root.toRealPath())) {
                    found.add(file.toString());
                }
            }
        }
        return found;
    }

    private static Path file(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor);
        } catch (NoSuchFileException closedMeanwhile) {
            return descriptor;
        }
    }

    /** Who holds the root is a courtesy: a holder that has not named itself yet is not named. */
    @Test
    void aHolderThatHasLeftNoNameIsNotNamed() throws Exception {
        try (OtherProcess other = new OtherProcess(root.resolve(RootLock.GUARD))) {
            assertThat(other.answer()).isEqualTo("locked");

            assertThatThrownBy(() -> RootLock.acquire(root, "second"))
                    .isInstanceOfSatisfying(
                            JournalException.class,
                            e -> assertThat(e)
                                    .hasMessageStartingWith(
                                            "root directory " + root + " is in use by another process; "));
        }
    }

    @Test
    void aLockThatWasClosedCanBeTakenAgain() throws IOException {
        for (int i = 0; i < 3; i++) {
            RootLock.acquire(root, "owner " + i).close();
        }

        assertThat(root.resolve(RootLock.LOCK)).hasContent("owner 2\n");
    }

    @Test
    void differentRootsDoNotHinderEachOther() throws IOException {
        Path other = Files.createDirectory(root.resolve("other"));

        try (RootLock first = RootLock.acquire(root, "first");
                RootLock second = RootLock.acquire(other, "second")) {
            assertThat(first).isNotSameAs(second);
        }
    }

    /** Ends when its input does, so a failed test leaves none behind. */
    private final class OtherProcess implements AutoCloseable {
        private final Process process;
        private final BufferedReader output;

        OtherProcess(Path file) throws IOException {
            Path source = Files.writeString(root.resolve("OtherProcess.java"), OTHER_PROCESS);
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            process = new ProcessBuilder(List.of(java, source.toString(), file.toString()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            output = process.inputReader();
        }

        String answer() throws IOException {
            return String.valueOf(output.readLine());
        }

        @Override
        public void close() throws IOException {
            process.getOutputStream().close();
            process.onExit().join();
            output.close();
        }
    }
}
