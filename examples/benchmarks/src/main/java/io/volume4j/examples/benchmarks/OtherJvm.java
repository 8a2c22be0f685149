package io.volume4j.examples.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a part of a benchmark in a separate JVM, on a number of cores, with a heap of fixed size. */
final class OtherJvm {
    private final List<String> flags;

    /** @param heapMegabytes size of the heap, all of it allocated before the measurement */
    OtherJvm(int heapMegabytes) {
        flags = List.of(
                "-Xms" + heapMegabytes + "m",
                "-Xmx" + heapMegabytes + "m",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseParallelGC");
    }

    /** The flags, for readers. */
    String described() {
        return String.join(" ", flags);
    }

    /**
     * Starts a process that serves until its input ends, and waits for its first line, which reports that it is ready.
     *
     * @param command for {@link Benchmarks#main}
     */
    Served serve(List<String> command) throws IOException {
        Process child = new ProcessBuilder(words(command))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader answers =
                new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
        if (answers.readLine() == null) {
            child.destroyForcibly();
            throw new IllegalStateException("the other JVM ended before it was ready");
        }
        return new Served(child, answers);
    }

    /** A serving process; its input also ends when this process ends. */
    record Served(Process process, BufferedReader answers) implements AutoCloseable {
        long pid() {
            return process.pid();
        }

        /** Sends one line, and waits for the line that answers it. */
        String ask(String line) throws IOException {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new IllegalStateException("the other JVM ended before it answered: " + line);
            }
            return answer;
        }

        @Override
        public void close() throws IOException {
            process.getOutputStream().close();
            try {
                if (!process.waitFor(10, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * The line of the command's output that begins with the mark.
     *
     * @param command for {@link Benchmarks#main}
     */
    String line(int cores, String mark, List<String> command) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(List.of("taskset", "-c", cores == 1 ? "0" : "0-" + (cores - 1)));
        whole.addAll(words(command));
        Process child = new ProcessBuilder(whole)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String text = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (child.waitFor() != 0) {
                throw new IllegalStateException("the JVM on " + cores + " cores failed: " + text);
            }
            return text.lines()
                    .filter(line -> line.startsWith(mark))
                    .map(line -> line.substring(mark.length()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("the JVM on " + cores + " cores said: " + text));
        } finally {
            child.destroyForcibly();
        }
    }

    private List<String> words(List<String> command) {
        List<String> words = new ArrayList<>();
        words.add(ProcessHandle.current().info().command().orElse("java"));
        words.addAll(flags);
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), Benchmarks.class.getName()));
        words.addAll(command);
        return words;
    }
}
