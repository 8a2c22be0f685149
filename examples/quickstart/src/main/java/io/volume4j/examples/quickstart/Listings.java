package io.volume4j.examples.quickstart;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Volumes and claims in the columns of {@code kubectl get pv} and {@code kubectl get pvc}. */
final class Listings {
    private static final String UNSET = "<unset>";

    private Listings() {}

    static String volumes(List<PersistentVolume> volumes, Instant now) {
        Table table = new Table(
                "NAME",
                "CAPACITY",
                "ACCESS MODES",
                "RECLAIM POLICY",
                "STATUS",
                "CLAIM",
                "STORAGECLASS",
                "VOLUMEATTRIBUTESCLASS",
                "REASON",
                "AGE");
        for (PersistentVolume volume : volumes) {
            ObjectReference claim = volume.spec().claimRef();
            String attributes = volume.spec().volumeAttributesClassName();
            table.row(
                    volume.metadata().name(),
                    text(volume.spec().capacity()),
                    modes(volume.spec().accessModes()),
                    volume.spec().reclaimPolicy().apiName(),
                    volume.status().phase().apiName(),
                    claim == null ? "" : claim.namespace() + "/" + claim.name(),
                    volume.className(),
                    attributes.isEmpty() ? UNSET : attributes,
                    volume.status().reason(),
                    age(volume.metadata(), now));
        }
        return table.text();
    }

    static String claims(List<PersistentVolumeClaim> claims, Instant now) {
        Table table = new Table(
                "NAME", "STATUS", "VOLUME", "CAPACITY", "ACCESS MODES", "STORAGECLASS", "VOLUMEATTRIBUTESCLASS", "AGE");
        for (PersistentVolumeClaim claim : claims) {
            String attributes = claim.spec().volumeAttributesClassName();
            table.row(
                    claim.metadata().name(),
                    claim.status().phase().apiName(),
                    claim.spec().volumeName(),
                    text(claim.status().capacity()),
                    modes(claim.status().accessModes()),
                    claim.className(),
                    attributes.isEmpty() ? UNSET : attributes,
                    age(claim.metadata(), now));
        }
        return table.text();
    }

    static String modes(List<AccessMode> modes) {
        return modes.stream().map(AccessMode::shortName).collect(Collectors.joining(","));
    }

    private static String text(@Nullable Quantity quantity) {
        return quantity == null ? "" : quantity.toString();
    }

    private static String age(ObjectMeta meta, Instant now) {
        Instant created = meta.creationTimestamp();
        if (created == null) {
            return "<unknown>";
        }
        Duration age = Duration.between(created, now);
        return age.toMinutes() < 2 ? Math.max(0, age.toSeconds()) + "s" : age.toMinutes() + "m";
    }
}
