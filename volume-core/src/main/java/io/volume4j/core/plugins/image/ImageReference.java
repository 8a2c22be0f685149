package io.volume4j.core.plugins.image;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ImageResolver.PullPolicy;
import io.volume4j.spi.model.OtherSource;

/** The image of a pod's volume. The rules are those of Kubernetes. Pure. */
public record ImageReference(String reference, PullPolicy policy) {
    private static final String LATEST = "latest";

    /**
     * Parses the source of an image volume.
     *
     * @throws VolumeException final, if it has no image, or an unknown policy
     */
    public static ImageReference of(OtherSource source) {
        String reference = text(source, "reference");
        if (reference.isEmpty()) {
            throw VolumeException.finalFailure("an image volume names no image")
                    .withAdvice("write it in image.reference of the pod's volume");
        }
        if (reference.codePoints().anyMatch(c -> Character.isISOControl(c) || Character.isWhitespace(c))) {
            throw VolumeException.finalFailure(
                    "image.reference " + MessageText.text(reference) + " has spaces or control characters");
        }
        return new ImageReference(reference, policy(text(source, "pullPolicy"), reference));
    }

    private static PullPolicy policy(String word, String reference) {
        return switch (word) {
            case "" -> usual(reference);
            case "Always" -> PullPolicy.ALWAYS;
            case "IfNotPresent" -> PullPolicy.IF_NOT_PRESENT;
            case "Never" -> PullPolicy.NEVER;
            default ->
                throw VolumeException.finalFailure(
                        "image.pullPolicy must be Always, IfNotPresent or Never, not " + MessageText.text(word));
        };
    }

    /** The default policy. The tag latest, or a missing tag, means different images over time. */
    private static PullPolicy usual(String reference) {
        if (reference.indexOf('@') >= 0) {
            return PullPolicy.IF_NOT_PRESENT;
        }
        String last = reference.substring(reference.lastIndexOf('/') + 1);
        int colon = last.indexOf(':');
        String tag = colon < 0 ? LATEST : last.substring(colon + 1);
        return tag.equals(LATEST) ? PullPolicy.ALWAYS : PullPolicy.IF_NOT_PRESENT;
    }

    private static String text(OtherSource source, String field) {
        Object value = source.fields().get(field);
        if (value == null) {
            return "";
        }
        if (value instanceof String text) {
            return text;
        }
        throw VolumeException.finalFailure("image." + field + " must be text");
    }
}
