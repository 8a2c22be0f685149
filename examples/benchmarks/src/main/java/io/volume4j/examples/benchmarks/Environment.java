package io.volume4j.examples.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a figure must be read with. */
final class Environment {
    private Environment() {}

    static void print(PrintStream out) {
        Runtime runtime = Runtime.getRuntime();
        out.println("machine  " + processor() + ", " + runtime.availableProcessors() + " cores, heap up to "
                + Figures.bytes(runtime.maxMemory()));
        out.println("system   " + System.getProperty("os.name") + " " + System.getProperty("os.version") + ", load "
                + load());
        out.println("JDK      " + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        out.println("commit   " + commit());
        out.println();
    }

    private static String processor() {
        return lines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(System.getProperty("os.arch"));
    }

    private static String load() {
        return lines(Path.of("/proc/loadavg")).stream().findFirst().orElse("unknown");
    }

    private static String commit() {
        try {
            Process git = new ProcessBuilder(List.of("git", "describe", "--always", "--dirty"))
                    .redirectErrorStream(true)
                    .start();
            String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0 ? text : "unknown";
        } catch (IOException noGit) {
            return "unknown";
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException absent) {
            return List.of();
        }
    }
}
