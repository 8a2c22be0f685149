package io.volume4j.core.control.binding.match;

import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Quantity;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a volume meets a claim's needs, rule by rule. All matching of claims and volumes uses these rules, with an index
 * or without.
 */
public final class Fit {
    private Fit() {}

    /** Why a volume that the claim requests by name does not fit; empty if it does. */
    public static Optional<String> refusalOfRequested(ClaimNeeds needs, PersistentVolume volume) {
        Optional<String> refusal = refusalOfReserved(needs, volume);
        if (refusal.isPresent()) {
            return refusal;
        }
        if (!volume.className().equals(needs.className())) {
            return Optional.of("its class is " + OneLine.quoted(volume.className()) + ", the claim's is "
                    + OneLine.quoted(needs.className()));
        }
        return Optional.empty();
    }

    /** Why a volume that is reserved for the claim does not fit: class, selector and phase do not matter. */
    public static Optional<String> refusalOfReserved(ClaimNeeds needs, PersistentVolume volume) {
        PersistentVolume.Spec spec = volume.spec();
        if (volume.metadata().deleting()) {
            return Optional.of("it is being deleted");
        }
        if (bytes(volume) < needs.bytes()) {
            return Optional.of(
                    "its size is " + spec.capacity() + ", the claim requests " + Quantity.ofBytes(needs.bytes()));
        }
        if (!spec.volumeAttributesClassName().equals(needs.attributesClass())) {
            return Optional.of("its volume attributes class is " + OneLine.quoted(spec.volumeAttributesClassName())
                    + ", the claim's is " + OneLine.quoted(needs.attributesClass()));
        }
        return refusalOfMade(needs, volume);
    }

    /** Why a volume that was provisioned for the claim does not fit: checks only fields that never change. */
    public static Optional<String> refusalOfMade(ClaimNeeds needs, PersistentVolume volume) {
        PersistentVolume.Spec spec = volume.spec();
        Optional<String> unknown = spec.unknownWord();
        if (unknown.isPresent()) {
            return Optional.of("its " + unknown.get() + " has a word that this version does not know");
        }
        if (spec.volumeMode() != needs.volumeMode()) {
            return Optional.of("its volumeMode is " + spec.volumeMode().apiName() + ", the claim's is "
                    + needs.volumeMode().apiName());
        }
        if (!covers(ClaimNeeds.modeBits(spec.accessModes()), needs.modes())) {
            return Optional.of("its access modes do not include all that the claim asks for");
        }
        return Optional.empty();
    }

    /** Whether the node can access the volume, by the volume's node affinity and its zone labels. */
    public static boolean reachable(PersistentVolume volume, ClaimNeeds.@Nullable Place node) {
        if (node == null) {
            return true;
        }
        @Nullable NodeSelector affinity = volume.spec().nodeAffinity();
        return (affinity == null || affinity.matches(node.nodeName(), node.labels()))
                && (!ZoneLabels.placed(volume)
                        || (node.known() && ZoneLabels.byLabels(volume).matches(node.nodeName(), node.labels())));
    }

    static boolean selected(PersistentVolume volume, @Nullable LabelSelector selector) {
        return selector == null || selector.matches(volume.metadata().labels());
    }

    static boolean covers(int offered, int wanted) {
        return (offered & wanted) == wanted;
    }

    /**
     * The size in whole bytes; -1 without a capacity. Rounded up like the request of a claim, so that a volume of exactly the
     * requested size fits: {@code 1.1Gi} is no whole number of bytes.
     */
    public static long bytes(PersistentVolume volume) {
        @Nullable Quantity capacity = volume.spec().capacity();
        return capacity == null ? -1 : capacity.bytes();
    }
}
