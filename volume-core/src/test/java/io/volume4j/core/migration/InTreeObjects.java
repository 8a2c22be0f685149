package io.volume4j.core.migration;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.StorageClass;

/** Objects as they were written before there was CSI, and their places as text. */
final class InTreeObjects {
    /** Of an Azure disk. */
    static final String URI = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/d1";

    private InTreeObjects() {}

    static PersistentVolume volume(String source, String metadata, String spec) {
        return (PersistentVolume) Manifests.read(
                        "v",
                        "{apiVersion: v1, kind: PersistentVolume, metadata: {name: v"
                                + (metadata.isEmpty() ? "" : ", " + metadata)
                                + "}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce]"
                                + (spec.isEmpty() ? "" : ", " + spec) + ", " + source + "}}")
                .get(0);
    }

    static StorageClass storageClass(String provisioner, String fields) {
        return (StorageClass) Manifests.read(
                        "c",
                        "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: c}, provisioner: "
                                + provisioner + ", " + fields + "}")
                .get(0);
    }

    static String affinity(String key, String value) {
        return "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: " + key
                + ", operator: In, values: [" + value + "]}]}]}}";
    }

    static String topologies(String key, String value) {
        return "allowedTopologies: [{matchLabelExpressions: [{key: " + key + ", values: ['" + value + "']}]}]";
    }

    static String requirement(PersistentVolume volume) {
        NodeSelector affinity = volume.spec().nodeAffinity();
        return affinity == null ? "" : text(affinity);
    }

    static String text(NodeSelector selector) {
        return String.join(
                " or ",
                selector.terms().stream()
                        .map(term -> String.join(
                                " and ",
                                term.matchExpressions().stream()
                                        .map(each -> each.key() + " " + each.operator() + " " + each.values())
                                        .toList()))
                        .toList());
    }
}
