package io.volume4j.spi.model;

import java.util.List;

/**
 * The state of the expansion of a claim's volume: the value of {@code status.allocatedResourceStatuses.storage}, with
 * the names of Kubernetes (KEP-1790).
 *
 * @since 0.1.0
 */
public enum ResizeStatus {
    /** No expansion is running, or no controller has recorded it. */
    NONE(""),
    CONTROLLER_IN_PROGRESS("ControllerResizeInProgress"),
    CONTROLLER_INFEASIBLE("ControllerResizeInfeasible"),
    /** The backend has expanded the storage. The nodes that use it must expand it next. */
    NODE_PENDING("NodeResizePending"),
    NODE_IN_PROGRESS("NodeResizeInProgress"),
    /** The node cannot expand the volume. It retries only after the controller writes {@link #NODE_PENDING} again. */
    NODE_INFEASIBLE("NodeResizeInfeasible"),
    /** A word that this version does not know. Another program handles such an expansion. */
    OTHER("");

    private static final String STORAGE = "storage";
    private static final List<ResizeStatus> ALL = List.of(values());

    private final String word;

    ResizeStatus(String word) {
        this.word = word;
    }

    /** The word in the object, {@code ""} for {@link #NONE}. */
    public String word() {
        return word;
    }

    /** The status in the claim. */
    public static ResizeStatus of(PersistentVolumeClaim claim) {
        String found = claim.status().allocatedResourceStatuses().getOrDefault(STORAGE, "");
        for (ResizeStatus status : ALL) {
            if (status.word.equals(found)) {
                return status;
            }
        }
        return OTHER;
    }

    /** Whether the expansion is in its node stage: pending, in progress or infeasible on the node. */
    public boolean nodes() {
        return this == NODE_PENDING || this == NODE_IN_PROGRESS || this == NODE_INFEASIBLE;
    }
}
