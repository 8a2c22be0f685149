package io.volume4j.core.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The manifests under {@code src/test/resources/manifests}. */
final class ManifestFiles {
    static final List<String> ALL = List.of(
            "seeds/static-nfs.yaml",
            "seeds/dynamic-nfs.yaml",
            "seeds/dynamic-nfs-plain.yaml",
            "codec/volumes.yaml",
            "codec/claims.yaml",
            "codec/pods.yaml",
            "codec/others.yaml",
            "codec/scheduling.yaml");

    private ManifestFiles() {}

    static String text(String name) {
        try (InputStream file = ManifestFiles.class.getResourceAsStream("/manifests/" + name)) {
            if (file == null) {
                throw new IllegalArgumentException("no such manifest: " + name);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
