package io.volume4j.examples.quickstart;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What the command line says.
 *
 * @param files manifests to read, none for the bundled ones
 * @param root where volumes and mounts live
 * @param tools directories to look for mkfs and fsck in, before the usual ones
 * @param inMemory whether not to touch the machine even where that is allowed
 * @param timeout how long to wait for pods to get their volumes, and again for everything to go
 * @param help whether only to print the usage
 */
record Arguments(List<Path> files, Path root, List<Path> tools, boolean inMemory, Duration timeout, boolean help) {
    static final String USAGE = """
            usage: java -jar quickstart.jar [-f FILE]... [--root DIR] [--tools DIR] [--in-memory] [--timeout SECONDS]

              -f FILE            manifests (YAML or JSON, several documents a file); default: a StorageClass,
                                 a claim of 64Mi and two pods that share it
              --root DIR         where volumes and mounts live; a second run finds there what the first left
              --tools DIR        look for mkfs and fsck here first
              --in-memory        touch nothing on this machine, even with the right to mount
              --timeout SECONDS  how long to wait for the volumes, default 60
            """;

    Arguments {
        files = Collections.unmodifiableList(new ArrayList<>(files));
        tools = Collections.unmodifiableList(new ArrayList<>(tools));
    }

    static Arguments parse(String[] words) {
        List<Path> files = new ArrayList<>();
        Path root = defaultRoot();
        List<Path> tools = new ArrayList<>();
        boolean inMemory = false;
        Duration timeout = Duration.ofSeconds(60);
        boolean help = false;
        for (int i = 0; i < words.length; i++) {
            switch (words[i]) {
                case "-f", "--file" -> files.add(Path.of(value(words, ++i)));
                case "--root" ->
                    root = Path.of(value(words, ++i)).toAbsolutePath().normalize();
                case "--tools" -> tools.add(Path.of(value(words, ++i)).toAbsolutePath());
                case "--in-memory" -> inMemory = true;
                case "--timeout" -> timeout = seconds(value(words, ++i));
                case "-h", "--help" -> help = true;
                default -> throw new Usage("unknown argument " + words[i] + "; --help lists the known ones");
            }
        }
        return new Arguments(files, root, tools, inMemory, timeout, help);
    }

    private static String value(String[] words, int index) {
        if (index >= words.length) {
            throw new Usage(words[index - 1] + " needs a value");
        }
        return words[index];
    }

    private static Duration seconds(String text) {
        try {
            long seconds = Long.parseLong(text);
            if (seconds > 0) {
                return Duration.ofSeconds(seconds);
            }
        } catch (NumberFormatException notANumber) {
            // Told below, as what is not positive.
        }
        throw new Usage("--timeout needs a whole number of seconds, at least 1, not " + text);
    }

    private static Path defaultRoot() {
        String user = System.getProperty("user.name", "user");
        return user.equals("root")
                ? Path.of("/var/lib/volume4j-quickstart")
                : Path.of(System.getProperty("java.io.tmpdir"), "volume4j-quickstart-" + user)
                        .toAbsolutePath()
                        .normalize();
    }
}
