package io.volume4j.core.control.schedule;

import io.volume4j.core.codec.PlacesText;

/** Manifests of a snapshot {@code s} and of claims for copies of it. */
final class SnapshotOf {
    private SnapshotOf() {}

    /** One whose copies can be reached only from this zone. */
    static String zone(String zone) {
        return """
                ---
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: s, namespace: default, uid: u-s},
                 spec: {source: {persistentVolumeClaimName: data}}, status: {boundVolumeSnapshotContentName: sc, readyToUse: true}}
                ---
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent,
                 metadata: {name: sc, uid: u-sc, annotations: {ANNOTATION: '[{"zone":"ZONE"}]'}},
                 spec: {volumeSnapshotRef: {name: s, namespace: default, uid: u-s}, deletionPolicy: Delete,
                  driver: d.example.com, source: {volumeHandle: h}}, status: {snapshotHandle: s1, readyToUse: true}}
                """.replace("ANNOTATION", PlacesText.ANNOTATION).replace("ZONE", zone);
    }

    static String claim(String name, String className) {
        return GivenCluster.claim(name, className, "1Gi")
                .replace(
                        "spec: {",
                        "spec: {dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s}, ");
    }
}
