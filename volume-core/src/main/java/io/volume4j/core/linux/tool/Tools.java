package io.volume4j.core.linux.tool;

import io.volume4j.spi.VolumeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Where the system's tools are: in a fixed list of directories, whatever {@code PATH} says.
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

    /** The tool, or a failure that names the package to install. */
    Path require(String name, String distributionPackage) {
        return find(name)
                .orElseThrow(() -> VolumeException.finalFailure("there is no " + name + " in " + searchPath())
                        .withAdvice("install the package " + distributionPackage));
    }

    /** As {@code PATH} is written. */
    String searchPath() {
        return String.join(":", directories.stream().map(Path::toString).toList());
    }
}
