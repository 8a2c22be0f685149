package io.volume4j.core.plugins;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Optional;

/**
 * Files of a container image ({@code image}), which the container runtime pulls and mounts by itself: nothing is done here and
 * nothing is on disk, so that the pod's other volumes are not held up by one that is not ours. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ImagePlugin implements VolumePlugin {
    public static final String NAME = "kubernetes.io/image";

    private static final String SOURCE = "image";
    private static final RuntimesBusiness NOTHING = new RuntimesBusiness();

    /** Has nothing to set up. */
    public ImagePlugin() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof OtherSource other && other.type().equals(SOURCE);
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        if (supports(spec)) {
            return spec.name();
        }
        throw VolumeException.finalFailure("not an image volume: " + MessageText.text(spec.name()));
    }

    @Override
    public boolean shared(VolumeSpec spec) {
        return false;
    }

    @Override
    public List<AccessMode> accessModes() {
        return List.of(AccessMode.READ_ONLY_MANY);
    }

    @Override
    public Optional<Mounter> mounter(VolumeSpec spec) {
        return Optional.of(NOTHING);
    }

    @Override
    public Optional<Unmounter> unmounter(VolumeId volume) {
        return Optional.of(NOTHING);
    }

    private static final class RuntimesBusiness implements Mounter, Unmounter {
        @Override
        public MountResult mount(MountRequest request, CallContext context) {
            return MountResult.mounted();
        }

        /** The content of an image must not be changed. */
        @Override
        public boolean managesContent() {
            return false;
        }

        @Override
        public void unmount(UnmountRequest request, CallContext context) {}
    }
}
