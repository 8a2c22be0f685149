package io.volume4j.inmemory.oracle;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Observes a simulated world from outside and reports each broken {@link Rule}, with the call that broke it. It does
 * not use the library's code. It has its own model of attachments and mounts, from the effects of calls. It checks
 * each call when it is sent and when it takes effect. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class Oracle {
    private final Outside outside = new Outside();
    private final ClusterRules cluster = new ClusterRules(this::violate);
    private final Formats formats = new Formats(this::violate);
    private final List<Violation> violations = new ArrayList<>();
    private final Set<String> reported = new HashSet<>();
    private final Map<String, Integer> incarnationOfOperation = new HashMap<>();
    private final Map<String, Set<String>> listedKinds = new HashMap<>();
    private final Set<String> obedient = new HashSet<>();
    private final Map<String, Set<String>> containers = new HashMap<>();
    private final Map<String, Long> limitOfNode = new HashMap<>();
    private final Map<String, Integer> callLimit = new HashMap<>();
    private final Map<String, String> driverOf = new HashMap<>();
    private final List<String> secrets = new ArrayList<>();
    private @Nullable Path root;
    private boolean attachedByOne = true;
    private boolean changed = true;

    /** An oracle for a new world. */
    public Oracle() {}

    /** Sets the root: every path that a plugin gets must be below it. */
    public void root(Path newRoot) {
        root = newRoot;
    }

    /**
     * Says that nodes attach by themselves. They do not know each other, so the backend must refuse wrong calls. The
     * oracle then checks only the effects of such calls.
     */
    public void nodesAttach() {
        attachedByOne = false;
    }

    /**
     * Says that the process does not know pods: it detaches volumes when another process has decided it, as the
     * cluster's objects say.
     */
    public void obeys(String process) {
        obedient.add(process);
    }

    /** Sets how many volumes a node can have. */
    public void limit(String node, long volumes) {
        limitOfNode.put(node, volumes);
    }

    /** Sets how many concurrent calls a process may have, including calls that it has written off. */
    public void callLimit(String process, int calls) {
        callLimit.put(process, calls);
    }

    /** Sets the driver of the volume: no other driver may get calls for it. */
    public void driver(String volume, String driver) {
        driverOf.put(volume, driver);
    }

    /** Adds a secret value, which only its driver may get. */
    public void secret(String value) {
        secrets.add(value);
    }

    /** Whether there is any secret, so that texts must be checked. */
    public boolean hasSecrets() {
        return !secrets.isEmpty();
    }

    /**
     * Reports a text that the library made public, such as an event.
     * @param where the kind of text, such as {@code event FailedMount}
     */
    public void said(String where, String text) {
        for (String secret : secrets) {
            if (text.contains(secret)) {
                violate(Rule.S17, where, "it tells a secret");
            }
        }
    }

    /** The secrets that texts must not contain, for a reader that checks large texts itself. */
    public List<String> secrets() {
        return new ArrayList<>(secrets);
    }

    /** Reports a successful read of a disk. */
    public void diskRead(String process, String disk) {
        formats.read(process, disk);
    }

    /** Reports a call to format a disk. */
    public void formatting(String process, String disk) {
        formats.asked(process, disk);
    }

    /** Reports that a format has begun to write: the disk is now neither blank nor a filesystem. */
    public void formatBegun(String process, String disk) {
        formats.begun(process, disk);
    }

    /** Reports the end of a format. */
    public void formatted(String disk) {
        formats.made(disk);
    }

    /** Reports that the disk's volume was detached from the node. */
    public void diskDetached(String node, String disk) {
        formats.detached(node, disk);
    }

    /** Whether only a person can permit a format of the disk, because a format was interrupted and then abandoned. */
    public boolean needsPerson(String disk) {
        return formats.needsPerson(disk);
    }

    /** Reports that a person erased the disk, which permits another format. */
    public void diskReset(String disk) {
        formats.reset(disk);
    }

    /**
     * Reports how many bytes a journal has after its latest snapshot.
     * @param most the maximum that its options permit
     */
    public void journal(String node, long bytes, long most) {
        if (bytes > most) {
            violate(Rule.S20, "journal of " + node, "it is behind its snapshot by more than " + most + " bytes");
        }
    }

    /** The rules for the cluster's objects. */
    public ClusterRules cluster() {
        return cluster;
    }

    /** The number of violations. */
    public int violationCount() {
        return violations.size();
    }

    /** All violations, in order. */
    public List<Violation> violations() {
        return new ArrayList<>(violations);
    }

    /** Adds a violation that another part of the simulation found. */
    public void violate(Rule rule, String call, String message) {
        if (reported.add(rule + call + message)) {
            violations.add(new Violation(rule.name(), call, message));
        }
    }

    public void processStarted(String process) {
        listedKinds.put(process, new HashSet<>());
    }

    public void processDied(String process) {
        outside.processDied(process);
        formats.died(process);
    }

    /** Reports that the process has read the whole list of a kind of objects. */
    public void listed(String process, String kind) {
        listedKinds.computeIfAbsent(process, unused -> new HashSet<>()).add(kind);
    }

    /** Reports a reboot of the node, which removes its mounts. */
    public void rebooted(String node) {
        outside.rebooted(node);
        containers.remove(node);
        changed = true;
    }

    public void fenced(String node, boolean isFenced) {
        outside.fence(node, isFenced);
    }

    /** Reports whether the pod's containers use its volumes on the node. */
    public void containers(String node, String podUid, boolean running) {
        Set<String> pods = containers.computeIfAbsent(node, unused -> new HashSet<>());
        if (running) {
            pods.add(podUid);
        } else {
            pods.remove(podUid);
        }
    }

    /** Reports that the library told the pod that its volumes are mounted. */
    public void toldMounted(String node, String podUid, List<String> volumes) {
        for (String volume : volumes) {
            if (!outside.of(volume).podsOn(node).contains(podUid)) {
                violate(Rule.I4, "tell pod " + podUid, "volume " + volume + " is not mounted for it on " + node);
            }
        }
    }

    /** Reports that a call was sent. */
    public void issued(CallRecord call) {
        Integer known = incarnationOfOperation.putIfAbsent(call.process() + call.operationId(), call.incarnation());
        if (known != null && known != call.incarnation()) {
            violate(Rule.S13, call.toString(), "operation " + call.operationId() + " is of incarnation " + known);
        }
        if (attachedByOne || !call.call().equals("attach")) {
            judge(call);
        }
        judgeTeardown(call);
        judgeGround(call);
        judgePath(call);
        if (call.facts().readOnly() && !call.facts().askedReadOnly()) {
            violate(Rule.S18, call.toString(), "the pod may only read the volume, the call asks for more");
        }
        String driver = driverOf.getOrDefault(call.volume(), call.driver());
        if (!driver.equals(call.driver())) {
            violate(Rule.S22, call.toString(), "driver " + call.driver() + " was asked, the volume is of " + driver);
        }
        outside.issued(call);
        if (outside.underWay(call.process()) > callLimit.getOrDefault(call.process(), Integer.MAX_VALUE)) {
            violate(
                    Rule.S20,
                    call.process(),
                    "more than " + callLimit.get(call.process()) + " calls are under way at once");
        }
    }

    /** Reports that a call took effect. */
    public void effected(CallRecord call) {
        judge(call);
        outside.effected(call);
        changed = true;
    }

    /** Reports that the caller got the result of a call. */
    public void ended(CallRecord call) {
        outside.ended(call);
    }

    private void judge(CallRecord call) {
        Outside.Held held = outside.of(call.volume());
        String node = call.node();
        switch (call.call()) {
            case "attach" -> judgeAttach(call, held);
            case "detach" -> {
                if (held.usedOn(node) && !outside.fenced(node)) {
                    violate(Rule.S1, call.toString(), "the volume is mounted on " + node);
                }
            }
            case "unmountDevice", "unmapDevice" -> {
                if (!held.podsOn(node).isEmpty()) {
                    violate(Rule.S2, call.toString(), "pods have it: " + held.podsOn(node));
                }
            }
            case "mount", "mapPod" -> {
                if (call.facts().onePod()) {
                    held.pods.forEach((other, pods) -> pods.forEach(pod -> {
                        if (!pod.equals(call.podUid()) && !outside.fenced(other)) {
                            violate(Rule.S5, call.toString(), "pod " + pod + " has it on " + other);
                        }
                    }));
                }
            }
            default -> {}
        }
    }

    private void judgeAttach(CallRecord call, Outside.Held held) {
        String node = call.node();
        if (held.attachedTo.contains(node)) {
            return;
        }
        for (String other : held.attachedTo) {
            if (call.facts().oneNode() && !outside.fenced(other)) {
                violate(Rule.S4, call.toString(), "it is attached to " + other);
            }
        }
    }

    private void judgeTeardown(CallRecord call) {
        boolean ofNode = call.call().startsWith("unm");
        if (ofNode || call.call().equals("detach")) {
            if (!obedient.contains(call.process())
                    && !listedKinds.getOrDefault(call.process(), Set.of()).contains("Pod")) {
                violate(Rule.S15, call.toString(), "the pods have not been listed");
            }
        }
        if (call.call().equals("unmount")
                && containers.getOrDefault(call.node(), Set.of()).contains(call.podUid())) {
            violate(Rule.S15, call.toString(), "containers of the pod use the volume");
        }
    }

    private void judgePath(CallRecord call) {
        String target = call.facts().target();
        if (root != null && !target.isEmpty() && !Path.of(target).normalize().startsWith(root)) {
            violate(Rule.S16, call.toString(), target + " is not below " + root);
        }
    }

    private void judgeGround(CallRecord call) {
        Outside.Held held = outside.of(call.volume());
        boolean missing = switch (call.facts().standsOn()) {
            case "attach" -> !held.attachedTo.contains(call.node()) && !held.takenFrom.contains(call.node());
            case "mountDevice" -> !held.stagedOn.contains(call.node());
            default -> false;
        };
        if (missing) {
            violate(Rule.S3, call.toString(), "without " + call.facts().standsOn() + " on " + call.node());
        }
    }

    /** Whether the model has changed since the last call of this method. */
    public boolean changedSince() {
        boolean since = changed;
        changed = false;
        return since;
    }

    /** Checks the state between two steps. */
    public void afterStep() {
        limitOfNode.forEach((node, limit) -> {
            if (outside.attachedTo(node) > limit) {
                violate(Rule.S19, "attach to " + node, "more than " + limit + " volumes are attached");
            }
        });
    }

    /**
     * Compares the beliefs of a node's agent with the model. The agent must be running and have finished its
     * reconstruction.
     * @param busy whether the agent waits for a call about the volume; such volumes are not compared
     * @param beliefOf returns the agent's belief about a volume
     */
    public void compareBeliefs(String node, Predicate<String> busy, Function<String, BeliefRecord> beliefOf) {
        for (String volume : outside.volumes()) {
            if (!busy.test(volume)) {
                compare(beliefOf.apply(volume), outside.of(volume));
            }
        }
    }

    private void compare(BeliefRecord belief, Outside.Held held) {
        String node = belief.node();
        if (belief.ownAttachment()) {
            if (held.attachedTo.contains(node) && !belief.mayBeAttached()) {
                violate(Rule.S14, subject(belief), "it is attached");
            } else if (!held.attachedTo.contains(node) && belief.attached()) {
                violate(Rule.S14, subject(belief), "it is not attached");
            }
        }
        if (held.stagedOn.contains(node) && !belief.mayBeStaged()) {
            violate(Rule.S14, subject(belief), "its device is mounted");
        } else if (!held.stagedOn.contains(node) && belief.staged()) {
            violate(Rule.S14, subject(belief), "its device is not mounted");
        }
        for (String pod : held.podsOn(node)) {
            if (!belief.podsThatMayHave().contains(pod)) {
                violate(Rule.S14, subject(belief), "pod " + pod + " has it");
            }
        }
        for (String pod : belief.podsThatHave()) {
            if (!held.podsOn(node).contains(pod)) {
                violate(Rule.S14, subject(belief), "pod " + pod + " does not have it");
            }
        }
    }

    private static String subject(BeliefRecord belief) {
        return "belief of " + belief.node() + " about " + belief.volume();
    }

    /** All attachments and mounts in the model, as one line each. */
    public List<String> holdings() {
        return outside.holdings();
    }
}
