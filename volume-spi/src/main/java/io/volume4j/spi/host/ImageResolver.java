package io.volume4j.spi.host;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Pod;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Makes the files of container images available on this machine, for pods whose volumes show images ({@code image}). A host that
 * pulls images gives one to {@code ImagePlugin}. Thread-safe, blocking.
 *
 * <p>The directory of an image must stay as it is, and where it is, as long as a pod has a volume of it: the worlds say which
 * ({@code MountedPod.MountedVolume.imageRef}).
 *
 * @since 0.1.0
 */
public interface ImageResolver {
    /**
     * The image's files, pulled if the policy asks for it. Idempotent. The library asks once for each pod's volume, before it mounts
     * it, and again after a restart that leaves unknown whether it was mounted.
     *
     * @throws VolumeException transient, if the image cannot be had now, and the library asks again with growing pauses; final, if
     *     the reference means nothing
     */
    ResolvedImage resolve(ImageRequest request, CallContext context);

    /** When an image is pulled, by Kubernetes' words. */
    enum PullPolicy {
        /** For each pod: what the reference means now. */
        ALWAYS,
        /** If this machine has no image of that reference. */
        IF_NOT_PRESENT,
        /** Never: this machine has the image, or the pod waits. */
        NEVER
    }

    /**
     * Which image, for whom.
     *
     * @param reference as the pod writes it, not empty
     * @param pod with the namespace and the service account of whose registry secrets the host makes use
     * @param volume the pod's name for the volume
     */
    record ImageRequest(String reference, PullPolicy policy, Pod pod, String volume) {
        public ImageRequest {
            Objects.requireNonNull(reference, "reference");
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(pod, "pod");
            Objects.requireNonNull(volume, "volume");
        }
    }

    /**
     * An image on this machine.
     *
     * @param directory absolute, the root of the image's files
     * @param imageRef the image with its digest, as a pod's status names it ({@code registry.example/files@sha256:…}); {@code ""} if
     *     that is not known
     */
    record ResolvedImage(Path directory, String imageRef) {
        public ResolvedImage {
            Objects.requireNonNull(imageRef, "imageRef");
            if (!directory.isAbsolute()) {
                throw new IllegalArgumentException("the directory of an image must be absolute: " + directory);
            }
        }
    }
}
