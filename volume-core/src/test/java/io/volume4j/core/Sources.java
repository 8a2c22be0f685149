package io.volume4j.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The sources of all published modules, as texts. */
final class Sources {
    static final Path ROOT = Path.of(Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"));

    private static final Pattern EXPORTED = Pattern.compile("(?m)^\\s*exports ([a-z0-9.]+);");
    private static final String MAIN = "src/main/java";

    private Sources() {}

    /** Folders of modules with a {@code module-info.java}, as {@code .ci/newcomer} lists what is published. */
    static List<Path> modules() {
        Matcher published = Pattern.compile("(?m)^published=\\(([^)]*)\\)").matcher(read(ROOT.resolve(".ci/newcomer")));
        if (!published.find()) {
            throw new IllegalStateException(".ci/newcomer does not say what is published");
        }
        return Stream.of(published.group(1).split(" ")).map(ROOT::resolve).toList();
    }

    /** Packages that a module exports to everyone. */
    static Set<String> exported(Path module) {
        Set<String> packages = new TreeSet<>();
        Matcher exports = EXPORTED.matcher(read(module.resolve(MAIN).resolve("module-info.java")));
        while (exports.find()) {
            packages.add(exports.group(1));
        }
        return packages;
    }

    /** The text of each top-level type of exported packages that is public, by its full name. */
    static Map<String, String> publicTypes() {
        Map<String, String> types = new TreeMap<>();
        for (Path module : modules()) {
            for (String name : exported(module)) {
                Path folder = module.resolve(MAIN).resolve(name.replace('.', '/'));
                for (Path file : javaFiles(folder, 1)) {
                    String type = file.getFileName().toString().replace(".java", "");
                    String text = read(file);
                    if (Pattern.compile("(?m)^public .*\\b" + type + "\\b")
                            .matcher(text)
                            .find()) {
                        types.put(name + "." + type, text);
                    }
                }
            }
        }
        return types;
    }

    /** The text of every test class, and of the published contracts, by simple name; classes of one name together. */
    static Map<String, String> tests() {
        Map<String, String> sources = new TreeMap<>();
        List<Path> folders = new ArrayList<>(modules().stream()
                .map(module -> module.resolve("src/test/java"))
                .toList());
        folders.add(ROOT.resolve("volume-inmemory/verification/src/test/java"));
        folders.add(ROOT.resolve("volume-inmemory/src/main/java/io/volume4j/inmemory/contract"));
        folders.add(ROOT.resolve("examples"));
        for (Path folder : folders) {
            javaFiles(folder, Integer.MAX_VALUE)
                    .forEach(file -> sources.merge(
                            file.getFileName().toString().replace(".java", ""), read(file), String::concat));
        }
        return sources;
    }

    /** Files of Java below the folder, none if it is not there. */
    static List<Path> javaFiles(Path folder, int depth) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder, depth)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
