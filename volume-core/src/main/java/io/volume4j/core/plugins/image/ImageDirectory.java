package io.volume4j.core.plugins.image;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.PlainPath;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ImageResolver;
import io.volume4j.spi.mount.HostFiles;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Images in a directory of the machine, each in a directory with the name of its reference. Another program fills it.
 * The library pulls nothing, so all pull policies only use existing images. A tag is a link to the directory with the
 * digest. Thread-safe.
 */
public final class ImageDirectory implements ImageResolver {
    private static final Pattern DIGEST = Pattern.compile("@[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-fA-F]{32,}");

    private final HostFiles files;
    private final Path directory;

    /** @param directory absolute */
    public ImageDirectory(HostFiles files, Path directory) {
        this.files = files;
        this.directory = directory;
    }

    @Override
    public ResolvedImage resolve(ImageRequest request, CallContext context) {
        String subject = "image " + MessageText.text(request.reference());
        Path root = files.resolve(directory)
                .orElseThrow(() -> VolumeException.transientFailure(
                                subject + " is not there: directory of images " + directory + " does not exist")
                        .withAdvice("make the directory and put the image there"));
        Path written = directory.resolve(relative(request.reference(), subject));
        Path real = files.resolve(written)
                .orElseThrow(
                        () -> VolumeException.transientFailure(subject + " is not there: " + written
                                        + " does not exist, and this machine pulls no images")
                                .withAdvice(
                                        "put its files there, or give ImagePlugin an ImageResolver that pulls; the library looks again by itself"));
        if (!real.startsWith(root) || real.equals(root)) {
            throw VolumeException.finalFailure(
                    subject + " leads out of the directory of images " + directory + ", to " + real);
        }
        return new ResolvedImage(real, imageRef(root.relativize(real).toString(), request.reference()));
    }

    private static String imageRef(String name, String reference) {
        if (DIGEST.matcher(name).find()) {
            return name;
        }
        return DIGEST.matcher(reference).find() ? reference : "";
    }

    private static Path relative(String reference, String subject) {
        for (String name : reference.split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                throw VolumeException.finalFailure(subject + " is no reference of an image");
            }
        }
        return PlainPath.named(subject, reference);
    }
}
