package io.volume4j.csi.internal.registration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A directory whose path another directory takes, of which the kernel says nothing. */
@Timeout(120)
class DirectoryWatchTest {
    private final BlockingQueue<String> changes = new LinkedBlockingQueue<>();

    @TempDir
    Path parent;

    @Test
    void aDirectoryThatTakesThePathOfAnotherIsFollowed() throws Exception {
        Path directory = Files.createDirectory(parent.resolve("registry"));
        Path another = Files.createDirectory(parent.resolve("another"));
        try (DirectoryWatch watch =
                DirectoryWatch.start(directory, Duration.ofMillis(20), changed -> changes.add("changed"))) {
            assertThat(watch).isNotNull();
            awaitChange();

            Files.move(directory, parent.resolve("before"));
            Files.move(another, directory);
            awaitChange();
            awaitQuiet();
            Files.createFile(directory.resolve("file"));

            awaitChange();
        }
    }

    /** Longer than the pause after which it looks for a directory that is gone. */
    private void awaitQuiet() throws InterruptedException {
        while (changes.poll(3, TimeUnit.SECONDS) != null) {
            assertThat(changes).hasSizeLessThan(100);
        }
    }

    private void awaitChange() throws InterruptedException {
        assertThat(changes.poll(1, TimeUnit.MINUTES)).isEqualTo("changed");
    }
}
