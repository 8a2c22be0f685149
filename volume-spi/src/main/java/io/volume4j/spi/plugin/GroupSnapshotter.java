package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.Snapshotter.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Creates snapshots of several volumes at the same instant.
 *
 * @since 0.1.0
 */
public interface GroupSnapshotter {
    /**
     * Creates a snapshot of every volume, or of none. If an earlier call with the same name created the group,
     * returns that group, also if some of its volumes no longer exist.
     */
    GroupSnapshot create(CreateGroupRequest request, CallContext context);

    /** The current state of a group; empty if it does not exist. */
    Optional<GroupSnapshot> get(GroupRequest request, CallContext context);

    /** Deletes the group and its members. Succeeds if the group does not exist. */
    void delete(GroupRequest request, CallContext context);

    /** The volumes of the new group. */
    record CreateGroupRequest(String name, List<VolumeSource> sources, Map<String, String> parameters) {
        public CreateGroupRequest {
            sources = List.copyOf(sources);
        }
    }

    /**
     * Identifies a group.
     *
     * @param memberHandles handles of its snapshots; backends that do not store groups identify the group by them
     */
    record GroupRequest(String handle, List<String> memberHandles, Map<String, String> parameters) {
        public GroupRequest {
            memberHandles = List.copyOf(memberHandles);
        }
    }

    /**
     * A group of snapshots.
     * @param ready whether volumes can be created from every member
     */
    record GroupSnapshot(String handle, Instant cutAt, boolean ready, List<Member> members) {
        public GroupSnapshot {
            members = List.copyOf(members);
        }

        /** The handles of the members, which later calls need. */
        public List<String> memberHandles() {
            return members.stream().map(member -> member.snapshot().handle()).toList();
        }
    }

    /** One volume's snapshot in a group. */
    record Member(String volumeHandle, Snapshot snapshot) {}
}
