package io.volume4j.examples.quickstart;

import io.volume4j.core.codec.Manifests;
import io.volume4j.examples.commandline.TextFile;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the user's manifests, or the manifests in the program. */
final class ManifestFiles {
    private ManifestFiles() {}

    /** @param others stores ConfigMaps and Secrets; true if it did */
    static List<ApiObject> read(List<Path> files, Predicate<Map<String, @Nullable Object>> others) {
        if (files.isEmpty()) {
            return bundled();
        }
        List<ApiObject> objects = new ArrayList<>();
        Map<ObjectKey, Path> seen = new LinkedHashMap<>();
        boolean[] taken = {false};
        Predicate<Map<String, @Nullable Object>> noted = tree -> {
            boolean takes = others.test(tree);
            taken[0] |= takes;
            return takes;
        };
        for (Path file : files) {
            for (ApiObject object : Manifests.read(file.toString(), TextFile.read("-f", file), noted)) {
                Path before = seen.put(object.key(), file);
                if (before != null) {
                    throw new Usage(object.key() + " is in " + before + " and again in " + file);
                }
                objects.add(object);
            }
        }
        if (objects.isEmpty() && !taken[0]) {
            throw new Usage("no objects in " + files);
        }
        return objects;
    }

    private static List<ApiObject> bundled() {
        try (InputStream bundled = Objects.requireNonNull(
                ManifestFiles.class.getResourceAsStream("quickstart.yaml"), "bundled manifests")) {
            return Manifests.read("bundled manifests", bundled);
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }
}
