package io.volume4j.core.plugins.image;

import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ImageResolver;
import io.volume4j.spi.host.ImageResolver.ImageRequest;
import io.volume4j.spi.host.ImageResolver.ResolvedImage;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.PluginState;
import java.nio.file.Path;
import java.util.Map;

/** Mounts the files of an image for a pod, read-only. */
public final class ImageMounter implements Mounter {
    private static final int VERSION = 1;
    private static final String IMAGE_REF = "imageRef";
    private static final Path ROOT = Path.of("/");

    private final MountBackend backend;
    private final ImageResolver images;

    public ImageMounter(MountBackend backend, ImageResolver images) {
        this.backend = backend;
        this.images = images;
    }

    /** The mounted image with its digest, from the mounter's state; {@code ""} if it is unknown. */
    public static String imageRef(PluginState state) {
        return state.get(IMAGE_REF);
    }

    /** The content of an image is the same for all pods that use it. */
    @Override
    public boolean managesContent() {
        return false;
    }

    @Override
    public MountResult mount(MountRequest request, CallContext context) {
        if (!(request.spec().source() instanceof OtherSource source)) {
            throw VolumeException.finalFailure("not an image volume: " + request.volume());
        }
        ImageReference image = ImageReference.of(source);
        ResolvedImage found = images.resolve(
                new ImageRequest(image.reference(), image.policy(), request.pod(), request.outerName()), context);
        RootedPath files = directory(image, found);
        MountPoints mountPoints = new MountPoints(backend);
        // A call with an unknown outcome may have mounted an older image of the same reference.
        if (mountPoints.at(request.target()).isPresent()) {
            mountPoints.takeAway(request.target(), UnmountMode.NORMAL);
        }
        mountPoints.mountOn(request.target(), () -> backend.bind(files, request.target(), BindOptions.onlyRead()));
        return MountResult.mounted(new PluginState(VERSION, Map.of(IMAGE_REF, found.imageRef())));
    }

    private RootedPath directory(ImageReference image, ResolvedImage found) {
        Path real = backend.files()
                .resolve(found.directory())
                .orElseThrow(() -> VolumeException.transientFailure("image " + image.reference() + " is not at "
                                + found.directory() + ", where the ImageResolver says that it is")
                        .withAdvice("look whether another program removes images that are in use"));
        RootedPath files = new RootedPath(ROOT, ROOT.relativize(real));
        if (backend.files()
                .status(files)
                .filter(status -> status.type() == FileStatus.Type.DIRECTORY)
                .isEmpty()) {
            throw VolumeException.finalFailure(
                            "image " + image.reference() + " is at " + found.directory() + ", which is no directory")
                    .withAdvice("the ImageResolver must name the directory with the image's files");
        }
        return files;
    }
}
