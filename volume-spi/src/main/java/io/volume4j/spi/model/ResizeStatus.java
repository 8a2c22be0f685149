package io.volume4j.spi.model;

import java.util.List;

/**
 * How far the expansion of a claim's volume is: the value of {@code status.allocatedResourceStatuses.storage}, named as
 * Kubernetes names it (KEP-1790).
 *
 * @since 0.1.0
 */
public enum ResizeStatus {
    /** None is under way, or none that a controller recorded. */
    NONE(""),
    CONTROLLER_IN_PROGRESS("ControllerResizeInProgress"),
    CONTROLLER_INFEASIBLE("ControllerResizeInfeasible"),
    /** The storage has grown; the nodes that use it are to follow. */
    NODE_PENDING("NodeResizePending"),
    NODE_IN_PROGRESS("NodeResizeInProgress"),
    /** The node will not try again before the controller says {@link #NODE_PENDING} again. */
    NODE_INFEASIBLE("NodeResizeInfeasible"),
    /** A word that this version does not know: another program acts on it. */
    OTHER("");

    private static final String STORAGE = "storage";
    private static final List<ResizeStatus> ALL = List.of(values());

    private final String word;

    ResizeStatus(String word) {
        this.word = word;
    }

    /** As it is written, {@code ""} for {@link #NONE}. */
    public String word() {
        return word;
    }

    /** What the claim says. */
    public static ResizeStatus of(PersistentVolumeClaim claim) {
        String found = claim.status().allocatedResourceStatuses().getOrDefault(STORAGE, "");
        for (ResizeStatus status : ALL) {
            if (status.word.equals(found)) {
                return status;
            }
        }
        return OTHER;
    }

    /** Whether the node is to act, has acted, or has given up. */
    public boolean nodes() {
        return this == NODE_PENDING || this == NODE_IN_PROGRESS || this == NODE_INFEASIBLE;
    }
}
