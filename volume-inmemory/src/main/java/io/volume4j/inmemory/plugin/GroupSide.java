package io.volume4j.inmemory.plugin;

import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.inmemory.plugin.Overlaps.Scope;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.plugin.GroupSnapshotter;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Snapshots of several volumes at one time. */
final class GroupSide implements GroupSnapshotter {
    private final InMemoryStorage storage;
    private final Calls calls;

    GroupSide(InMemoryStorage storage, Calls calls) {
        this.storage = storage;
        this.calls = calls;
    }

    @Override
    public GroupSnapshot create(CreateGroupRequest request, CallContext context) {
        return calls.make(
                site("groupSnapshot", request.name()),
                Scope.NOTHING,
                request,
                context,
                () -> storage.snapshots().cutGroup(request.name(), () -> sizes(request)));
    }

    private Map<String, Long> sizes(CreateGroupRequest request) {
        TreeMap<String, Long> volumes = new TreeMap<>();
        request.sources().forEach(source -> {
            String handle = Calls.handle(request.name(), source);
            volumes.put(
                    handle,
                    storage.toCut("group snapshot " + request.name(), handle).bytes());
        });
        return volumes;
    }

    @Override
    public Optional<GroupSnapshot> get(GroupRequest request, CallContext context) {
        return calls.make(
                site("getGroupSnapshot", request.handle()),
                Scope.NOTHING,
                request,
                context,
                () -> storage.snapshots().getGroup(request.handle()));
    }

    @Override
    public void delete(GroupRequest request, CallContext context) {
        calls.make(
                site("deleteGroupSnapshot", request.handle()),
                Scope.NOTHING,
                request,
                context,
                () -> storage.snapshots().deleteGroup(request.handle()));
    }

    private static CallSite site(String call, String handle) {
        return new CallSite(call, handle, "");
    }
}
