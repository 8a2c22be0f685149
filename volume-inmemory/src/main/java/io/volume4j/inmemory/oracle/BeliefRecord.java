package io.volume4j.inmemory.oracle;

import java.util.Set;

/**
 * The state of one volume as a node's agent believes it.
 * @param ownAttachment whether the node itself attaches the volume
 * @param mayBeAttached whether the agent believes that the volume is attached or may be
 * @param attached whether the agent believes that the volume is certainly attached
 * @param mayBeStaged whether the agent believes that the device mount exists or may exist
 * @param staged whether the agent believes that the device mount certainly exists
 * @param podsThatMayHave pods whose mount exists or may exist, as the agent believes
 * @param podsThatHave pods whose mount certainly exists, as the agent believes
 * @since 0.1.0
 */
public record BeliefRecord(
        String node,
        String volume,
        boolean ownAttachment,
        boolean mayBeAttached,
        boolean attached,
        boolean mayBeStaged,
        boolean staged,
        Set<String> podsThatMayHave,
        Set<String> podsThatHave) {

    /** The record of a volume that the agent does not know. */
    public static BeliefRecord nothing(String node, String volume, boolean ownAttachment) {
        return new BeliefRecord(node, volume, ownAttachment, false, false, false, false, Set.of(), Set.of());
    }
}
