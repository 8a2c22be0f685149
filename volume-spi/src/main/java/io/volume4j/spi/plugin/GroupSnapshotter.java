package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.Snapshotter.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Cuts snapshots of several volumes at one instant.
 *
 * @since 0.1.0
 */
public interface GroupSnapshotter {
    /**
     * Cuts all of them, or finds what an earlier call with the same name cut, also if volumes are gone by now. Fails as a whole.
     */
    GroupSnapshot create(CreateGroupRequest request, CallContext context);

    /** How far a group is; empty if it does not exist. */
    Optional<GroupSnapshot> get(GroupRequest request, CallContext context);

    /** Destroys the group with its members; absent is success. */
    void delete(GroupRequest request, CallContext context);

    /** What to cut. */
    record CreateGroupRequest(String name, List<VolumeSource> sources, Map<String, String> parameters) {
        public CreateGroupRequest {
            sources = List.copyOf(sources);
        }
    }

    /**
     * Which group.
     *
     * @param memberHandles of its snapshots; backends that keep no groups of their own find it by them
     */
    record GroupRequest(String handle, List<String> memberHandles, Map<String, String> parameters) {
        public GroupRequest {
            memberHandles = List.copyOf(memberHandles);
        }
    }

    /**
     * A group.
     *
     * @param ready whether volumes can be made from every member
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
