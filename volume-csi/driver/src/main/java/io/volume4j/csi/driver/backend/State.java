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
 * What the driver knows, as it is kept in its state file; secrets never get here. Confined to the backend's lock. Fields
 * rather than accessors, because it is a document: its rules are the backend's.
 */
final class State {
    /** Numbers what is made; never goes back. */
    long sequence;

    final Map<String, KnownVolume> volumes = new LinkedHashMap<>();
    final Map<String, KnownSnapshot> snapshots = new LinkedHashMap<>();
    final Map<String, KnownGroup> groups = new LinkedHashMap<>();
    final Map<String, KnownNode> nodes = new LinkedHashMap<>();

    /** Ids of volumes that existed. */
    final Set<String> gone = new LinkedHashSet<>();

    /** How often something of a name came into being. */
    final Map<String, Integer> born = new TreeMap<>();

    KnownNode node(String id) {
        return nodes.computeIfAbsent(id, none -> new KnownNode());
    }

    /** What exists, and the mounts beside it. */
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
        /** What the node sees; less than {@link #bytes} while the node's growth is due. */
        long nodeBytes;

        int pool;
        boolean ephemeral;
        /** Which of the quirks that strike once have struck. */
        final Set<String> struck = new LinkedHashSet<>();

        /** What is wrong with it, by who sees it: a node, {@link HealthCalls#CONTROLLER} or {@link HealthCalls#ALL}. */
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

    /** One thing that is wrong. */
    static final class KnownFinding {
        int status;
        String reason = "";
        String message = "";
        /** Of storage: {@code mount}, {@code block}, or empty for any use. */
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

    /** What is mounted on one node; gone with a reboot. */
    static final class KnownNode {
        /** What is wrong with the backend as it is seen from here; outlives a reboot. */
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
