package io.volume4j.inmemory.oracle;

import java.util.Set;

/**
 * What a node's agent takes for true of one volume.
 *
 * @param ownAttachment whether the node attaches by itself, so that the attachment is its business
 * @param mayBeAttached whether it counts as attached, certain or not
 * @param attached whether it is believed to be attached for certain
 * @param mayBeStaged whether the device mount counts as there
 * @param staged whether it is believed to be there for certain
 * @param podsThatMayHave pods whose mount counts as there
 * @param podsThatHave pods whose mount is believed to be there for certain
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

    /** Of a volume that the agent does not know. */
    public static BeliefRecord nothing(String node, String volume, boolean ownAttachment) {
        return new BeliefRecord(node, volume, ownAttachment, false, false, false, false, Set.of(), Set.of());
    }
}
