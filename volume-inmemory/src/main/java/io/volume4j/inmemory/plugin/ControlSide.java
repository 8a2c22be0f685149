package io.volume4j.inmemory.plugin;

import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.inmemory.plugin.Overlaps.Scope;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import io.volume4j.spi.plugin.CapacityReporter.Capacity;
import io.volume4j.spi.plugin.CapacityReporter.CapacityRequest;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.Expander.ExpandResult;
import io.volume4j.spi.plugin.Modifier.ModifyRequest;
import io.volume4j.spi.plugin.Observer.Observation;
import io.volume4j.spi.plugin.Observer.Query;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.Recycler.RecycleRequest;
import io.volume4j.spi.plugin.Snapshotter;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The calls that do not need a node. */
final class ControlSide implements Snapshotter {
    private final String driver;
    private final InMemoryStorage storage;
    private final Calls calls;
    private final SecretUse secrets;
    private final BooleanSupplier nodeExpands;
    private final boolean tellsProgress;

    /** @param tellsProgress whether it reports a snapshot's progress without another create call */
    ControlSide(
            String driver,
            InMemoryStorage storage,
            Calls calls,
            SecretUse secrets,
            BooleanSupplier nodeExpands,
            boolean tellsProgress) {
        this.driver = driver;
        this.storage = storage;
        this.calls = calls;
        this.secrets = secrets;
        this.nodeExpands = nodeExpands;
        this.tellsProgress = tellsProgress;
    }

    @Override
    public boolean tellsProgress() {
        return tellsProgress;
    }

    ProvisionResult provision(ProvisionRequest request, CallContext context) {
        return calls.make(site("provision", request.volumeName()), Scope.VOLUME, request, context, () -> {
            if (storage.volume(request.volumeName()).isEmpty()) {
                mustHave(request);
            }
            StoredVolume made = storage.model()
                    .provision(
                            request.volumeName(),
                            Math.max(request.requestedBytes(), 1),
                            request.limitBytes(),
                            all(request),
                            content(request),
                            () -> segment(request));
            String fsType = request.storageClass().parameters().getOrDefault("fsType", "");
            ProvisionResult result = ProvisionResult.of(
                    CsiSource.of(driver, made.handle, fsType, Map.of("storage.mem/name", made.handle)), made.bytes);
            NodeSelector nodes = reachableFrom(made.segment);
            return nodes == null ? result : result.onlyOn(nodes);
        });
    }

    private void mustHave(ProvisionRequest request) {
        ContentSource content = request.content();
        if (content == null) {
            return;
        }
        boolean there = content.kind() == ContentSource.Kind.SNAPSHOT
                ? storage.snapshots().has(content.handle())
                : storage.volume(content.handle()).isPresent();
        if (!there) {
            throw VolumeException.finalFailure("provision " + request.volumeName() + ": the backend has no "
                            + (content.kind() == ContentSource.Kind.SNAPSHOT ? "snapshot " : "volume ")
                            + content.handle())
                    .provingAbsence();
        }
    }

    private static String content(ProvisionRequest request) {
        ContentSource content = request.content();
        return content == null ? "" : content.kind().name().toLowerCase(Locale.ROOT) + " " + content.handle();
    }

    /** The segment of a new volume: that of the selected node, or else the first one that the class allows. */
    private String segment(ProvisionRequest request) {
        StorageLimits limits = storage.limits();
        NodeSelector allowed = request.storageClass().allowedTopologies();
        Node node = request.selectedNode();
        String call = "provision " + request.volumeName();
        if (node != null) {
            String name = node.metadata().name();
            String segment = limits.segment(name);
            Map<String, String> labels = new TreeMap<>(node.metadata().labels());
            labels.put(limits.topologyKey(), segment);
            if (!segment.isEmpty() && allowed != null && !allowed.matches(name, labels)) {
                throw VolumeException.of(
                        FailureKind.EXHAUSTED,
                        call + ": the class allows no volume in " + segment + " of node " + name);
            }
            return segment;
        }
        if (limits.segmentOfNode().isEmpty()) {
            return "";
        }
        return limits.firstSegment(allowed)
                .orElseThrow(() -> VolumeException.of(
                        FailureKind.INFEASIBLE, call + ": the storage has no segment that the class allows"));
    }

    /** The parameters of the class, overridden by the mutable parameters. */
    private static Map<String, String> all(ProvisionRequest request) {
        Map<String, String> all = new TreeMap<>(request.storageClass().parameters());
        all.putAll(request.mutableParameters());
        return all;
    }

    void delete(DeleteRequest request, CallContext context) {
        CallSite site = site("delete", Calls.handle(request.volumeName(), request.source()));
        calls.make(site, Scope.VOLUME, request, context, () -> storage.model().delete(site.toString(), site.subject()));
    }

    void recycle(RecycleRequest request, CallContext context) {
        // The backend does not store the content of a volume, so there is nothing to erase; it only records the call.
        calls.make(
                site("recycle", Calls.handle(request.volumeName(), request.source())),
                Scope.VOLUME,
                request,
                context,
                () -> {});
    }

    AttachResult attach(AttachRequest request, CallContext context) {
        CallSite site = new CallSite("attach", request.volume().name(), request.nodeName());
        return withSecret(
                request.spec(),
                CsiSource::controllerPublishSecretRef,
                () -> calls.make(site, Scope.ATTACHMENT, request, context, () -> attachNow(request, site)));
    }

    private AttachResult attachNow(AttachRequest request, CallSite site) {
        String device = storage.model()
                .attach(
                        site.toString(),
                        site.subject(),
                        Calls.declaredBytes(request.spec()),
                        request.nodeName(),
                        Access.of(request.spec()),
                        request.readOnly());
        return AttachResult.at(device)
                .withMetadata(Map.of("storage.mem/device", device))
                .with(new PluginState(1, Map.of("device", device)));
    }

    private <T> T withSecret(VolumeSpec spec, Function<CsiSource, @Nullable SecretRef> which, Supplier<T> call) {
        return secrets.with(spec.source(), which, call);
    }

    void detach(DetachRequest request, CallContext context) {
        CallSite site = new CallSite("detach", request.volume().name(), request.nodeName());
        calls.make(
                site,
                Scope.ATTACHMENT,
                request,
                context,
                () -> storage.model().detach(site.toString(), site.subject(), site.node()));
    }

    ExpandResult expand(ExpandRequest request, CallContext context) {
        CallSite site = site(
                "expand", Calls.handle(request.spec().name(), request.spec().source()));
        return withSecret(
                request.spec(),
                CsiSource::controllerExpandSecretRef,
                () -> calls.make(
                        site,
                        Scope.VOLUME,
                        request,
                        context,
                        () -> new ExpandResult(
                                storage.model().expand(site.toString(), site.subject(), request.newBytes()),
                                nodeExpands.getAsBoolean())));
    }

    void modify(ModifyRequest request, CallContext context) {
        CallSite site = site(
                "modify", Calls.handle(request.spec().name(), request.spec().source()));
        calls.make(
                site,
                Scope.VOLUME,
                request,
                context,
                () -> storage.model().modify(site.toString(), site.subject(), request.parameters()));
    }

    /** A query whose scripted outcome is uncertain gets the answer unknown; other failures fail the call. */
    List<Observation> attachments(List<Query> queries, CallContext context) {
        List<Observation> answers = new ArrayList<>();
        for (Query query : queries) {
            CallSite site = new CallSite("observe", query.volume().name(), query.nodeName());
            try {
                answers.add(calls.make(
                        site,
                        Scope.NOTHING,
                        query,
                        context,
                        () -> storage.model().observe(site.subject(), site.node())));
            } catch (VolumeException failure) {
                if (failure.kind() != FailureKind.UNCERTAIN) {
                    throw failure;
                }
                answers.add(Observation.UNKNOWN);
            }
        }
        return answers;
    }

    Capacity capacity(CapacityRequest request, CallContext context) {
        return calls.make(
                site("capacity", ""),
                Scope.NOTHING,
                request,
                context,
                () -> new Capacity(
                        storage.model().availableBytes(), storage.limits().maxVolumeBytes()));
    }

    @Override
    public Snapshot create(CreateRequest request, CallContext context) {
        return calls.make(site("snapshot", request.name()), Scope.NOTHING, request, context, () -> {
            String handle = Calls.handle(request.name(), request.source());
            return storage.snapshots()
                    .cut(
                            request.name(),
                            () -> storage.toCut("snapshot " + request.name(), handle)
                                    .bytes());
        });
    }

    @Override
    public Optional<Snapshot> get(String handle, CallContext context) {
        return calls.make(
                site("getSnapshot", handle),
                Scope.NOTHING,
                handle,
                context,
                () -> storage.snapshots().get(handle));
    }

    @Override
    public void delete(String handle, CallContext context) {
        calls.make(site("deleteSnapshot", handle), Scope.NOTHING, handle, context, () -> {
            if (storage.snapshots().inGroup(handle)) {
                throw VolumeException.finalFailure("snapshot " + handle + " is part of a group and goes only with it");
            }
            storage.snapshots().delete(handle);
        });
    }

    private @Nullable NodeSelector reachableFrom(String segment) {
        if (segment.isEmpty()) {
            return null;
        }
        SelectorRequirement inSegment = new SelectorRequirement(storage.limits().topologyKey(), "In", List.of(segment));
        return new NodeSelector(List.of(new NodeSelector.Term(List.of(inSegment), List.of())));
    }

    private static CallSite site(String call, String volume) {
        return new CallSite(call, volume, "");
    }
}
