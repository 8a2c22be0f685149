package io.volume4j.spi.model;

/**
 * Says on a claim that no new pod may get its volume for now: nodes and binders wait, and pods that have it keep it. Schedulers and node
 * agents that do not know it do not wait.
 *
 * @since 0.1.0
 */
public final class ClaimHold {
    /** On a claim: name and UID of the {@link VolumeMove} that holds it. */
    public static final String ANNOTATION = "volume4j.io/held-by-move";

    private ClaimHold() {}

    /** The annotation's value for that move. */
    public static String text(VolumeMove move) {
        return move.metadata().name() + "/" + move.metadata().uid();
    }

    /** UID of the move that holds the claim, {@code ""} if no move does. */
    public static String holder(PersistentVolumeClaim claim) {
        String text = claim.metadata().annotation(ANNOTATION);
        return text.substring(text.indexOf('/') + 1);
    }

    /** Why a new pod does not get the claim's volume for now, {@code ""} if it may get it. */
    public static String reason(PersistentVolumeClaim claim) {
        String text = claim.metadata().annotation(ANNOTATION);
        return text.isEmpty()
                ? ""
                : "claim " + claim.metadata().namespace() + "/"
                        + claim.metadata().name()
                        + " is held while VolumeMove " + text.substring(0, Math.max(0, text.indexOf('/')))
                        + " moves its data to another volume";
    }
}
