package io.volume4j.spi.model;

/**
 * The phase of a pod.
 *
 * @since 0.1.0
 */
public enum PodPhase implements ApiWord {
    PENDING("Pending"),
    RUNNING("Running"),
    SUCCEEDED("Succeeded"),
    FAILED("Failed"),
    /** The node could not report the phase. Also any word that this version does not know. */
    UNKNOWN("Unknown");

    private final String apiName;

    PodPhase(String apiName) {
        this.apiName = apiName;
    }

    @Override
    public String apiName() {
        return apiName;
    }

    @Override
    public boolean known() {
        return this != UNKNOWN;
    }

    /** Whether the pod has ended and will not run again. */
    public boolean ended() {
        return this == SUCCEEDED || this == FAILED;
    }
}
