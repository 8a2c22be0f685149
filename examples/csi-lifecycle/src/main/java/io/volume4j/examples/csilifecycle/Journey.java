package io.volume4j.examples.csilifecycle;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesRequest;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesResponse;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import io.volume4j.csi.internal.proto.VolumeUsage;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Executes the steps of a plan. The ledger has everything that may need an undo before the driver gets the call. */
final class Journey {
    private final Driver driver;
    private final Abilities can;
    private final Arguments arguments;
    private final Requests requests;
    private final Ledger ledger;
    private final Undo undo;
    private final Console console;
    private final StopSignal stop;
    private final InstantSource clock;
    private final String run;
    private final Path work;
    private final @Nullable NodeGetInfoResponse node;
    private final Snapshots snapshots;
    private final Contents content;
    private final HealthQuestions health;
    private final Questions questions;
    private final Refusals refusals;
    private final Placement placement;
    private final Map<String, Item> items = new LinkedHashMap<>();
    private final Set<String> volumesMade = new TreeSet<>();
    private boolean lookedAround;
    private final Set<String> there = new TreeSet<>();

    Journey(
            Driver driver,
            Abilities can,
            Arguments arguments,
            Ledger ledger,
            Undo undo,
            Console console,
            StopSignal stop,
            InstantSource clock,
            String run,
            Path work,
            @Nullable NodeGetInfoResponse node) {
        this.driver = driver;
        this.can = can;
        this.arguments = arguments;
        this.requests = new Requests(arguments);
        this.ledger = ledger;
        this.undo = undo;
        this.console = console;
        this.stop = stop;
        this.clock = clock;
        this.run = run;
        this.work = work;
        this.node = node;
        this.health = new HealthQuestions(driver, can, requests, console);
        this.questions = new Questions(driver, requests, ledger, undo);
        this.refusals = new Refusals(driver, can, arguments, ledger, undo);
        this.placement = new Placement(driver, can, arguments, ledger, undo, node, run);
        this.content = new Contents(arguments, console, run);
        this.snapshots = new Snapshots(driver, arguments, ledger, undo, console, "v4j-lifecycle-" + run);
    }

    /** Ids of created volumes, which must be gone at the end. */
    Set<String> volumesMade() {
        return volumesMade;
    }

    /** Whether the volumes from before the run are known. */
    boolean hasLookedAround() {
        return lookedAround;
    }

    /** Ids of volumes from before the run. */
    Set<String> volumesBefore() {
        return there;
    }

    /** Ids of created snapshots, which must be gone at the end. */
    Set<String> snapshotsMade() {
        return snapshots.made();
    }

    /** Whether the driver passes all cases. A failed case that a later step needs ends the journey with an exception. */
    boolean take(List<Plan.Part> parts, Report report) {
        boolean kept = true;
        Deque<Report.Case> ahead = new ArrayDeque<>();
        for (Plan.Part part : parts) {
            part.steps().forEach(step -> ahead.add(skipped(part.id(step), part.rule(step), "the run ended before")));
        }
        try {
            for (Plan.Part part : parts) {
                console.heading(part.title() + (part.leftOut().isEmpty() ? "" : ": " + part.leftOut()));
                if (part.steps().isEmpty()) {
                    report.add(skipped(part.id(), part.title(), part.leftOut()));
                }
                for (Plan.Step step : part.steps()) {
                    stop.check();
                    kept &= take(ahead.remove(), part, step, report);
                }
            }
        } finally {
            ahead.forEach(report::add);
        }
        if (!arguments.volumeId().isEmpty()) {
            // the volume stays, and its record is not needed any more
            undo.delete(Plan.MAIN);
        }
        return kept;
    }

    private static Report.Case skipped(String id, String rule, String why) {
        return new Report.Case(id, rule, Report.Outcome.SKIPPED, Duration.ZERO, why);
    }

    private boolean take(Report.Case as, Plan.Part part, Plan.Step step, Report report) {
        Instant begun = clock.instant();
        String failure = "stopped";
        boolean passed = false;
        try {
            driver.killsAt(part.kill());
            take(step);
            passed = true;
        } catch (CsiException | Failed | UncheckedIOException e) {
            failure = String.valueOf(e.getMessage());
            if (!step.act().isQuestion()) {
                throw e;
            }
            console.detail("FAILED: " + as.id() + ": " + failure);
        } finally {
            driver.killsAt(null);
            report.add(new Report.Case(
                    as.id(),
                    as.rule(),
                    passed ? Report.Outcome.PASSED : Report.Outcome.FAILED,
                    Duration.between(begun, clock.instant()),
                    passed ? "" : failure));
        }
        return passed;
    }

    private void take(Plan.Step step) {
        Item item = item(step.item());
        switch (step.act()) {
            case PLUGIN_INFO -> questions.pluginInfo();
            case PROBE -> questions.probe();
            case NODE_INFO -> questions.nodeInfo(node);
            case CREATE_AGAIN -> volumesMade.addAll(questions.createAgain(item));
            case CREATE_OTHER -> volumesMade.addAll(questions.createOther(item));
            case CREATE_FROM_NO_SNAPSHOT ->
                refusals.createFromUnknownSnapshot(
                        Snapshots.unknown(), requests.create(name(item), item.bytes(), here()));
            case CREATE_FROM_NO_VOLUME ->
                refusals.createFromUnknownVolume(unknown(), requests.create(name(item), item.bytes(), here()));
            case VALIDATE_UNKNOWN -> refusals.validateUnknown(unknown());
            case DELETE_UNKNOWN -> refusals.deleteUnknown(unknown());
            case GET_UNKNOWN -> refusals.getUnknown(unknown());
            case LIST_ODD_TOKEN -> refusals.listWithOddToken();
            case LIST_PAGE -> questions.listPage();
            case ATTACH_UNKNOWN -> refusals.attach(unknown(), placement.nodeId(), "a volume that there is not");
            case ATTACH_NOWHERE ->
                refusals.attach(main().id(), placement.nodeId() + "-none", "a volume to a node that there is not");
            case STAGE_UNKNOWN -> refusals.stageUnknown(unknown(), new Item("nothing", work.resolve("nothing")));
            case PUBLISH_OTHERWISE -> placement.publishOtherwise(item);
            case STATS_UNKNOWN -> refusals.statsOfUnknown(unknown(), item);
            case HEALTH_UNKNOWN -> refusals.healthOfUnknown(unknown());
            case EXPAND_AGAIN -> questions.expandAgain(item);
            case EXPAND_UNKNOWN -> refusals.expandUnknown(unknown(), main().bytes());
            case MODIFY_AGAIN -> modify(item);
            case MODIFY_UNKNOWN -> refusals.modifyUnknown(unknown());
            case LIST_SNAPSHOTS_OF -> snapshots.listOf(main());
            case LIST_SNAPSHOTS_UNKNOWN -> refusals.listUnknownSnapshot(Snapshots.unknown());
            case LIST_SNAPSHOTS_ODD_TOKEN -> refusals.listSnapshotsWithOddToken();
            case GET_SNAPSHOT_UNKNOWN -> refusals.getUnknownSnapshot(Snapshots.unknown());
            case DELETE_SNAPSHOT_UNKNOWN -> refusals.deleteUnknownSnapshot(Snapshots.unknown());
            case SNAPSHOT_OTHER -> snapshots.cutOther(item);
            case GET_GROUP_UNKNOWN -> refusals.getUnknownGroup(Snapshots.unknown());
            case DELETE_GROUP_UNKNOWN -> refusals.deleteUnknownGroup(Snapshots.unknown());
            case ATTACH_AGAIN -> placement.attach(item);
            case STAGE_AGAIN -> placement.stage(item);
            case PUBLISH_AGAIN -> placement.publish(item);
            case UNPUBLISH_AGAIN -> undo.again("unpublish", item.key());
            case UNSTAGE_AGAIN -> undo.again("unstage", item.key());
            case DETACH_AGAIN -> undo.again("detach", item.key());
            case DELETE_AGAIN, DELETE_SNAPSHOT_AGAIN, DELETE_GROUP_AGAIN -> undo.again("delete", step.item());
            case LOOK_AROUND -> {
                there.addAll(new LeakCheck(driver, can, requests, console).volumes());
                lookedAround = true;
            }
            case GET_CAPACITY -> capacity();
            case CREATE -> create(item, arguments.size(), null);
            case VALIDATE -> validate(item);
            case LIST -> list(item);
            case GET -> get(item);
            case ATTACH -> placement.attach(item);
            case STAGE -> placement.stage(item);
            case PUBLISH -> placement.publish(item);
            case WRITE -> content.write(item);
            case READ -> content.read(item);
            case LOOK -> content.look(item);
            case STATS -> stats(item);
            case HEALTH -> health.ofController(item);
            case LIST_HEALTH -> health.list(item);
            case NODE_HEALTH -> health.ofNode(item);
            case STORAGE_HEALTH -> health.ofStorage();
            case EXPAND -> expand(item);
            case MODIFY -> modify(item);
            case SNAPSHOT -> snapshots.cut(step.item(), main());
            case LIST_SNAPSHOTS -> snapshots.list();
            case GET_SNAPSHOT -> snapshots.get();
            case METADATA -> snapshots.allocated(arguments.onlyReads() || !can.hasNode() ? -1 : 0);
            case WRITE_MORE -> content.writeMore(main());
            case METADATA_DELTA -> snapshots.changed(content.writtenMoreAt());
            case RESTORE -> create(item, main().bytes(), snapshots.source());
            case CLONE -> create(item, main().bytes(), cloneOf(main()));
            case DELETE_SNAPSHOT -> undo.deleteSnapshot(step.item());
            case GROUP -> snapshots.group(main());
            case GET_GROUP -> snapshots.getGroup();
            case DELETE_GROUP -> undo.deleteGroup();
            case PUBLISH_INLINE -> placement.publishInline(item);
            case UNPUBLISH -> placement.unpublish(item);
            case UNSTAGE -> undo.unstage(item.key());
            case DETACH -> undo.detach(item.key());
            case DELETE -> undo.delete(item.key());
            case WITHOUT_FIELD ->
                RequiredFields.of(can, arguments).stream()
                        .filter(rule -> rule.id().equals(step.item()))
                        .forEach(rule -> RequiredFields.demand(rule, driver));
        }
    }

    private Item main() {
        return item(Plan.MAIN);
    }

    /** The volume of the whole journey comes from the command line if none was created. */
    private Item item(String key) {
        Item item = items.computeIfAbsent(key, made -> new Item(made, work.resolve(made)));
        if (key.equals(Plan.MAIN)
                && item.id().isEmpty()
                && !arguments.volumeId().isEmpty()) {
            item.is(arguments.volumeId(), arguments.size(), arguments.setting("--context"));
            ledger.learn("volume." + key + ".id", item.id());
        }
        return item;
    }

    /** An id of a volume that does not exist, in the form of the existing ids. */
    private String unknown() {
        return main().id() + "-none";
    }

    private void capacity() {
        GetCapacityRequest.Builder request = GetCapacityRequest.newBuilder()
                .addVolumeCapabilities(requests.capability())
                .putAllParameters(arguments.setting("--parameter"));
        Topology here = here();
        if (here != null) {
            request.setAccessibleTopology(here);
        }
        long bytes = driver.call("", context -> driver.controller().controller().getCapacity(request.build(), context))
                .getAvailableCapacity();
        console.result(Console.size(bytes));
    }

    private @Nullable Topology here() {
        return can.topology() && node != null && node.hasAccessibleTopology() ? node.getAccessibleTopology() : null;
    }

    private void create(Item item, long bytes, @Nullable VolumeContentSource source) {
        CreateVolumeRequest.Builder request = requests.create(name(item), bytes, here()).toBuilder();
        if (source != null) {
            request.setVolumeContentSource(source);
        }
        String key = "volume." + item.key();
        ledger.begin(key + ".request", request.build());
        try {
            Volume volume = driver.createVolume(request.build());
            ledger.learn(key + ".id", volume.getVolumeId());
            volumesMade.add(volume.getVolumeId());
            item.is(
                    volume.getVolumeId(),
                    volume.getCapacityBytes() == 0 ? bytes : volume.getCapacityBytes(),
                    volume.getVolumeContextMap());
            console.result(volume.getVolumeId());
        } catch (CsiException e) {
            if (undo.learnt(key, e)) {
                ledger.get(key + ".id").ifPresent(volumesMade::add);
            }
            throw e;
        } finally {
            undo.forgetUnsent(key);
        }
    }

    private String name(Item item) {
        return "v4j-lifecycle-" + run + "-" + item.key();
    }

    private static VolumeContentSource cloneOf(Item item) {
        return VolumeContentSource.newBuilder()
                .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(item.id()))
                .build();
    }

    private void validate(Item item) {
        ValidateVolumeCapabilitiesRequest request = ValidateVolumeCapabilitiesRequest.newBuilder()
                .setVolumeId(item.id())
                .putAllVolumeContext(item.context())
                .addVolumeCapabilities(requests.capability())
                .putAllParameters(arguments.setting("--parameter"))
                .putAllSecrets(requests.secrets())
                .build();
        ValidateVolumeCapabilitiesResponse reply = driver.call(
                item.id(), context -> driver.controller().controller().validateVolumeCapabilities(request, context));
        if (!reply.hasConfirmed()) {
            throw new Failed(
                    "the driver does not confirm the capabilities of volume " + item.id() + ": " + reply.getMessage(),
                    "confirm what CreateVolume has accepted, field by field");
        }
        console.result("confirmed");
    }

    private void list(Item item) {
        boolean listed = new LeakCheck(driver, can, requests, console).volumes().contains(item.id());
        if (!listed) {
            throw new Failed(
                    "the driver does not list volume " + item.id() + ", which it has just made",
                    "ListVolumes must tell every volume; look at the paging, too");
        }
    }

    private void get(Item item) {
        ControllerGetVolumeRequest request =
                ControllerGetVolumeRequest.newBuilder().setVolumeId(item.id()).build();
        boolean abnormal = driver.call(
                        item.id(), context -> driver.controller().controller().controllerGetVolume(request, context))
                .getStatus()
                .getVolumeCondition()
                .getAbnormal();
        console.result(abnormal ? "abnormal" : "");
    }

    private void stats(Item item) {
        NodeGetVolumeStatsRequest.Builder request = NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId(item.id())
                .setVolumePath(item.target().toString());
        if (can.stage()) {
            request.setStagingTargetPath(item.staging().toString());
        }
        List<VolumeUsage> usage = driver.call(
                        item.id(), context -> driver.node().node().nodeGetVolumeStats(request.build(), context))
                .getUsageList();
        StringBuilder text = new StringBuilder();
        for (VolumeUsage each : usage) {
            boolean inodes = each.getUnit() == VolumeUsage.Unit.INODES;
            text.append(text.length() == 0 ? "" : ", ").append(each.getUsed()).append(" of ");
            text.append(inodes ? each.getTotal() + " inodes" : Console.size(each.getTotal()));
        }
        console.result(text.toString());
    }

    /** Online if possible; if the driver expands only offline, the volume is unpublished first. */
    private void expand(Item item) {
        boolean down = can.offlineExpansionOnly() && can.hasNode();
        if (down) {
            placement.lower(item);
        }
        ControllerExpandVolumeResponse reply;
        try {
            reply = grow(item);
        } catch (CsiException e) {
            if (down || !can.hasNode() || !e.answered(Code.FAILED_PRECONDITION)) {
                throw e;
            }
            console.detail("  not while it is in use: taking it down for that");
            down = true;
            placement.lower(item);
            reply = grow(item);
        }
        item.grownTo(reply.getCapacityBytes());
        if (down) {
            placement.raise(item);
        }
        if (reply.getNodeExpansionRequired() && can.hasNode()) {
            growOnNode(item);
        }
    }

    private ControllerExpandVolumeResponse grow(Item item) {
        ControllerExpandVolumeRequest request = ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(item.id())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(item.bytes() + arguments.size()))
                .setVolumeCapability(requests.capability())
                .putAllSecrets(requests.secrets())
                .build();
        ControllerExpandVolumeResponse reply = driver.call(
                item.id(), context -> driver.controller().controller().controllerExpandVolume(request, context));
        console.result(Console.size(reply.getCapacityBytes())
                + (reply.getNodeExpansionRequired() ? ", to be finished on the node" : ""));
        return reply;
    }

    private void growOnNode(Item item) {
        if (!can.node(NodeServiceCapability.RPC.Type.EXPAND_VOLUME)) {
            throw new Failed(
                    "the driver asks for NodeExpandVolume and does not have it", "node.EXPAND_VOLUME is missing");
        }
        NodeExpandVolumeRequest.Builder request = NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(item.id())
                .setVolumePath(item.target().toString())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(item.bytes()))
                .setVolumeCapability(requests.capability())
                .putAllSecrets(requests.secrets());
        if (can.stage()) {
            request.setStagingTargetPath(item.staging().toString());
        }
        driver.call(item.id(), context -> driver.node().node().nodeExpandVolume(request.build(), context));
    }

    private void modify(Item item) {
        ControllerModifyVolumeRequest request = ControllerModifyVolumeRequest.newBuilder()
                .setVolumeId(item.id())
                .putAllMutableParams(arguments.setting("--mutable"))
                .putAllSecrets(requests.secrets())
                .build();
        driver.call(item.id(), context -> driver.controller().controller().controllerModifyVolume(request, context));
    }
}
