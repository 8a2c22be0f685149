package io.volume4j.examples.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Runs a part of a benchmark in a JVM of its own, on so many cores, with a heap that neither grows nor shrinks. */
final class OtherJvm {
    private final List<String> flags;

    /** @param heapMegabytes all of it taken from the machine before anything is measured */
    OtherJvm(int heapMegabytes) {
        flags = List.of(
                "-Xms" + heapMegabytes + "m",
                "-Xmx" + heapMegabytes + "m",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseParallelGC");
    }

    /** What it runs with, for people. */
    String described() {
        return String.join(" ", flags);
    }

    /**
     * The line that the command printed behind the mark.
     *
     * @param command for {@link Benchmarks#main}
     */
    String line(int cores, String mark, List<String> command) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(List.of("taskset", "-c", cores == 1 ? "0" : "0-" + (cores - 1)));
        whole.add(ProcessHandle.current().info().command().orElse("java"));
        whole.addAll(flags);
        whole.addAll(List.of("-cp", System.getProperty("java.class.path"), Benchmarks.class.getName()));
        whole.addAll(command);
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
}
