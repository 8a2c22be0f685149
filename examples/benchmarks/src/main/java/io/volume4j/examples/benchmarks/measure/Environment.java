package io.volume4j.examples.benchmarks.measure;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The environment of a figure: machine, JDK, JVM flags and commit. */
public final class Environment {
    private static final String MACHINE = processor() + ", "
            + Runtime.getRuntime().availableProcessors() + " cores, heap up to "
            + Figures.bytes(Runtime.getRuntime().maxMemory()) + ", "
            + System.getProperty("os.name") + " " + System.getProperty("os.version");
    private static final String JDK = System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
    private static final String JVM = jvm();
    private static final String COMMIT = commit();

    private Environment() {}

    public static void print(PrintStream out, String warmUp) {
        out.println("  machine  " + MACHINE + ", load " + load());
        out.println("  JDK      " + JDK);
        out.println("  JVM      " + JVM);
        out.println("  commit   " + COMMIT);
        out.println("  warm-up  " + warmUp);
        out.println();
    }

    /** Whether the program was built from a clean commit. */
    public static boolean committed() {
        return !COMMIT.endsWith("-dirty") && !COMMIT.equals("unknown");
    }

    /** For the footer of a plot. */
    public static String machine() {
        return MACHINE + "; " + JDK + "; commit " + COMMIT;
    }

    private static String processor() {
        return lines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(System.getProperty("os.arch"));
    }

    /** The JVM's flags and its collectors. */
    private static String jvm() {
        List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
        String collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .collect(Collectors.joining(", "));
        return (flags.isEmpty() ? "no flags" : String.join(" ", flags)) + "; collectors " + collectors;
    }

    private static String load() {
        return lines(Path.of("/proc/loadavg")).stream().findFirst().orElse("unknown");
    }

    private static String commit() {
        try {
            Process git = new ProcessBuilder(List.of("git", "-C", home(), "describe", "--always", "--dirty"))
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

    /** The directory of the program, which is in its repository unless it was copied. */
    private static String home() {
        CodeSource source = Environment.class.getProtectionDomain().getCodeSource();
        if (source == null) {
            return ".";
        }
        try {
            Path place = Path.of(source.getLocation().toURI());
            Path parent = place.getParent();
            return Files.isDirectory(place) || parent == null ? place.toString() : parent.toString();
        } catch (URISyntaxException e) {
            return ".";
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
