package io.volume4j.core.plugins;

import io.volume4j.core.plugins.common.BindMounter;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.image.ImageDirectory;
import io.volume4j.core.plugins.image.ImageMounter;
import io.volume4j.core.plugins.image.ImageReference;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ImageResolver;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Mounts the files of a container image ({@code image}), read-only. There are two modes. In the first, the container
 * runtime itself pulls and mounts the image; this plugin then does nothing and does not delay the pod's other
 * volumes. In the second, the host's {@link ImageResolver} provides the files and the library mounts them.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class ImagePlugin implements VolumePlugin {
    public static final String NAME = "kubernetes.io/image";

    private static final String SOURCE = "image";
    private static final RuntimesBusiness NOTHING = new RuntimesBusiness();

    /** Null if the runtime mounts images. */
    private final @Nullable Function<MountBackend, ImageResolver> resolver;

    private volatile Mounter mounter = NOTHING;
    private volatile Unmounter unmounter = NOTHING;

    /** A plugin that leaves images to the container runtime. */
    public ImagePlugin() {
        this.resolver = null;
    }

    /** A plugin that mounts the files of this resolver. */
    public ImagePlugin(ImageResolver images) {
        Objects.requireNonNull(images, "images");
        this.resolver = backend -> images;
    }

    private ImagePlugin(Function<MountBackend, ImageResolver> resolver) {
        this.resolver = resolver;
    }

    /**
     * A plugin that mounts images from a directory of this machine. The path of each image is its reference,
     * including the slashes. A tag may be a link to a directory whose name ends with the digest
     * ({@code registry.example/files@sha256:…}). The plugin pulls nothing: a pod waits for a missing image.
     *
     * @param directory absolute; only the machine's administrator should be able to write there
     */
    public static ImagePlugin ofDirectory(Path directory) {
        if (!directory.isAbsolute()) {
            throw new IllegalArgumentException("the directory of images must be absolute: " + directory);
        }
        return new ImagePlugin(backend -> new ImageDirectory(backend.files(), directory));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void init(PluginHost host) {
        Function<MountBackend, ImageResolver> given = resolver;
        host.mounts().ifPresent(backend -> {
            // Also if the runtime mounts images now: an earlier process may have mounted them here.
            unmounter = new BindMounter(backend);
            if (given != null) {
                mounter = new ImageMounter(backend, given.apply(backend));
            }
        });
    }

    @Override
    public boolean runsPrograms() {
        return false;
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof OtherSource other && other.type().equals(SOURCE);
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        if (supports(spec) && spec.source() instanceof OtherSource source) {
            if (resolver != null) {
                ImageReference.of(source);
            }
            return spec.name();
        }
        throw VolumeException.finalFailure("not an image volume: " + MessageText.text(spec.name()));
    }

    @Override
    public boolean shared(VolumeSpec spec) {
        return false;
    }

    @Override
    public boolean mountedByRuntime(VolumeSpec spec) {
        return resolver == null;
    }

    @Override
    public String imageRef(PluginState state) {
        return ImageMounter.imageRef(state);
    }

    @Override
    public List<AccessMode> accessModes() {
        return List.of(AccessMode.READ_ONLY_MANY);
    }

    @Override
    public Optional<Mounter> mounter(VolumeSpec spec) {
        return Optional.of(mounter);
    }

    @Override
    public Optional<Unmounter> unmounter(VolumeId volume) {
        return Optional.of(unmounter);
    }

    private static final class RuntimesBusiness implements Mounter, Unmounter {
        @Override
        public MountResult mount(MountRequest request, CallContext context) {
            return MountResult.mounted();
        }

        /** False: the library must not change the content of an image. */
        @Override
        public boolean managesContent() {
            return false;
        }

        @Override
        public void unmount(UnmountRequest request, CallContext context) {}
    }
}
