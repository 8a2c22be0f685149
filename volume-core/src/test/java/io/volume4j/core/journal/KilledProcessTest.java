package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.VolumeException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A real process, really killed in the middle of its appends, over and over on one journal. */
class KilledProcessTest {
    private static final JournalIdentity NODE = new JournalIdentity("node-a", "boot-1", "root-1");

    @TempDir
    Path root;

    /** Appends without end, compacts now and then, and prints each number that was reported durable. */
    static final class Appender {
        private Appender() {}

        public static void main(String[] args) {
            ExecutorService writer = Executors.newSingleThreadExecutor();
            OpenedJournal opened = new FileJournalStore(
                            Path.of(args[0]), JournalOptions.defaults(), writer, new SplittableRandom())
                    .open(NODE, reason -> {});
            for (int i = Integer.parseInt(args[1]); ; i++) {
                String text = Integer.toString(i);
                opened.journal().append(JournalTexts.entry(text), AppendPriority.NORMAL, outcome -> {
                    if (outcome.isDurable()) {
                        System.out.println(text);
                    }
                });
                if (i % 5000 == 4999) {
                    // Holds the last number only: what a snapshot replaces is gone by design.
                    opened.journal().compact(List.of(JournalTexts.entry(text)), outcome -> {});
                }
                if (i % 1000 == 0 && System.out.checkError()) {
                    // The process that must kill this one is gone.
                    System.exit(1);
                }
                while (opened.journal().status().queuedRecords() > 1000) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    @Test
    void keepsEverythingItReported() throws Exception {
        int next = 0;
        for (int life = 0; life < 3; life++) {
            int acknowledged = runAndKill(next, 4000 + 1500 * life);
            List<Integer> found = replay();

            int last = found.get(found.size() - 1);
            assertThat(last).as("life %d", life).isGreaterThanOrEqualTo(acknowledged);
            int first = found.get(0);
            List<Integer> expected = new ArrayList<>();
            for (int i = first; i <= last; i++) {
                expected.add(i);
            }
            assertThat(found).isEqualTo(expected);
            assertThat(first == 0 || first % 5000 == 4999)
                    .as("begins at %d", first)
                    .isTrue();
            next = last + 1;
        }
    }

    private int runAndKill(int from, int reports) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        String.join(
                                File.pathSeparator,
                                Path.of("target", "classes").toString(),
                                Path.of("target", "test-classes").toString(),
                                jarOf(LoggerFactory.class),
                                jarOf(VolumeException.class)),
                        Appender.class.getName(),
                        root.toString(),
                        Integer.toString(from)))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        int last = -1;
        try (BufferedReader output = process.inputReader()) {
            for (int i = 0; i < reports; i++) {
                last = Integer.parseInt(String.valueOf(output.readLine()));
            }
            // SIGKILL, while it goes on appending; by the handle, because the process would close its output.
            process.toHandle().destroyForcibly();
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                // The last line may be cut off by the kill.
                if (line.length() >= Integer.toString(last).length()) {
                    last = Integer.parseInt(line);
                }
            }
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
        return last;
    }

    private List<Integer> replay() {
        ManualExecutor executor = new ManualExecutor();
        OpenedJournal opened = new FileJournalStore(root, JournalOptions.defaults(), executor, new SplittableRandom(1))
                .open(NODE, reason -> {});
        opened.journal().close();
        assertThat(opened.replayed().report().damaged()).isFalse();
        return opened.replayed().records().stream()
                .map(record -> Integer.valueOf(new String(record.payload(), StandardCharsets.UTF_8)))
                .toList();
    }

    private static String jarOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
