package io.volume4j.core.linux.tool;

import io.volume4j.spi.VolumeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Finds the system's tools in a fixed list of directories, independent of {@code PATH}.
 *
 * @param directories searched in this order
 */
public record Tools(List<Path> directories) {
    public Tools {
        directories = Collections.unmodifiableList(new ArrayList<>(directories));
    }

    public Optional<Path> find(String name) {
        return directories.stream()
                .map(directory -> directory.resolve(name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    /** The path of the tool. The failure names the package to install. */
    Path require(String name, String distributionPackage) {
        return find(name)
                .orElseThrow(() -> VolumeException.finalFailure("there is no " + name + " in " + searchPath())
                        .withAdvice("install the package " + distributionPackage));
    }

    /** The directories in the syntax of {@code PATH}. */
    String searchPath() {
        return String.join(":", directories.stream().map(Path::toString).toList());
    }
}
