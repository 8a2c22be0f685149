package io.volume4j.spi.model;

/**
 * An annotation of a claim that keeps new pods from getting the claim's volume for now. Nodes and binders of volume4j
 * wait; pods that have the volume keep it. Other schedulers and node agents do not know the annotation and do not
 * wait.
 *
 * @since 0.1.0
 */
public final class ClaimHold {
    /** Annotation of a claim: name and UID of the {@link VolumeMove} that holds the claim. */
    public static final String ANNOTATION = "volume4j.io/held-by-move";

    private ClaimHold() {}

    /** The value of the annotation for that move. */
    public static String text(VolumeMove move) {
        return move.metadata().name() + "/" + move.metadata().uid();
    }

    /** UID of the move that holds the claim, {@code ""} if no move does. */
    public static String holder(PersistentVolumeClaim claim) {
        String text = claim.metadata().annotation(ANNOTATION);
        return text.substring(text.indexOf('/') + 1);
    }

    /** Why a new pod must not get the claim's volume for now, {@code ""} if it may get it. */
    public static String reason(PersistentVolumeClaim claim) {
        String text = claim.metadata().annotation(ANNOTATION);
        return text.isEmpty()
                ? ""
                : "claim " + claim.metadata().namespace() + "/"
                        + claim.metadata().name()
                        + " is held while VolumeMove " + OneLine.name(text.substring(0, Math.max(0, text.indexOf('/'))))
                        + " moves its data to another volume";
    }
}
