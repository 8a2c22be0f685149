package io.volume4j.csi.driver.backend;

import io.volume4j.csi.driver.oracle.Inventory;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The driver's state, as in its state file; it never contains secrets. Guarded by the backend's lock. It has fields
 * instead of accessors, because it is a document; the backend has the rules.
 */
final class State {
    /** The last number that was assigned; never decreases. */
    long sequence;

    final Map<String, KnownVolume> volumes = new LinkedHashMap<>();
    final Map<String, KnownSnapshot> snapshots = new LinkedHashMap<>();
    final Map<String, KnownGroup> groups = new LinkedHashMap<>();
    final Map<String, KnownNode> nodes = new LinkedHashMap<>();

    /** Ids of deleted volumes. */
    final Set<String> gone = new LinkedHashSet<>();

    /** How often an object of each name was created. */
    final Map<String, Integer> born = new TreeMap<>();

    KnownNode node(String id) {
        return nodes.computeIfAbsent(id, none -> new KnownNode());
    }

    /** The existing objects, with the mounts. */
    Inventory inventory(List<String> mounts) {
        List<String> attachments = new ArrayList<>();
        List<String> uses = new ArrayList<>();
        volumes.values()
                .forEach(volume ->
                        volume.attachments.keySet().forEach(node -> attachments.add(volume.id + " on " + node)));
        nodes.forEach((id, node) -> {
            node.staged.forEach((volume, stage) -> uses.add(volume + " staged on " + id + " at " + stage.path));
            node.published.forEach(
                    (target, publication) -> uses.add(publication.volume + " published on " + id + " at " + target));
        });
        return new Inventory(
                new ArrayList<>(volumes.keySet()),
                new ArrayList<>(snapshots.keySet()),
                new ArrayList<>(groups.keySet()),
                attachments,
                uses,
                mounts,
                born);
    }

    static final class KnownVolume {
        String id = "";
        String name = "";
        long number;
        CreateVolumeRequest asked = CreateVolumeRequest.getDefaultInstance();
        long bytes;
        /** The size on the node; less than {@link #bytes} until the node expands the volume. */
        long nodeBytes;

        int pool;
        boolean ephemeral;
        /** The quirks that happen once and have happened for this volume. */
        final Set<String> struck = new LinkedHashSet<>();

        /** The findings by viewer: a node, {@link HealthCalls#CONTROLLER} or {@link HealthCalls#ALL}. */
        final Map<String, List<KnownFinding>> health = new TreeMap<>();

        final List<Topology> topology = new ArrayList<>();
        final Map<String, String> context = new TreeMap<>();
        final Map<String, String> mutable = new TreeMap<>();
        final Map<String, KnownAttachment> attachments = new LinkedHashMap<>();

        Volume toProto() {
            Volume.Builder proto = Volume.newBuilder()
                    .setVolumeId(id)
                    .setCapacityBytes(bytes)
                    .putAllVolumeContext(context)
                    .addAllAccessibleTopology(topology);
            if (asked.hasVolumeContentSource()) {
                VolumeContentSource source = asked.getVolumeContentSource();
                proto.setContentSource(source);
            }
            return proto.build();
        }

        boolean allows(VolumeCapability.AccessTypeCase type) {
            return asked.getVolumeCapabilitiesList().stream()
                    .anyMatch(capability -> capability.getAccessTypeCase() == type);
        }
    }

    /** One health finding. */
    static final class KnownFinding {
        int status;
        String reason = "";
        String message = "";
        /** For storage: {@code mount}, {@code block}, or empty for any use. */
        String use = "";
    }

    static final class KnownAttachment {
        VolumeCapability capability = VolumeCapability.getDefaultInstance();
        boolean readonly;
        final Map<String, String> context = new TreeMap<>();
    }

    static final class KnownSnapshot {
        Snapshot proto = Snapshot.getDefaultInstance();
        String name = "";
        long number;
        final Map<String, String> parameters = new TreeMap<>();
        int pollsLeft;
    }

    static final class KnownGroup {
        String id = "";
        String name = "";
        long seconds;
        final List<String> sources = new ArrayList<>();
        final List<String> members = new ArrayList<>();
        final Map<String, String> parameters = new TreeMap<>();
    }

    /** Mounts on one node; a reboot clears them. */
    static final class KnownNode {
        /** The health of the storage as this node reports it; survives a reboot. */
        final List<KnownFinding> storage = new ArrayList<>();

        final Map<String, KnownStage> staged = new LinkedHashMap<>();
        final Map<String, KnownPublication> published = new LinkedHashMap<>();
    }

    static final class KnownStage {
        String path = "";
        VolumeCapability capability = VolumeCapability.getDefaultInstance();
    }

    static final class KnownPublication {
        String volume = "";
        String stagingPath = "";
        VolumeCapability capability = VolumeCapability.getDefaultInstance();
        boolean readonly;
    }
}
