package io.volume4j.inmemory.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.control.binding.plan.BindingStep;
import io.volume4j.core.control.expand.ExpandStep;
import io.volume4j.core.control.modify.ModifyStep;
import io.volume4j.core.control.populate.PopulateStep;
import io.volume4j.core.node.NodeStep;
import io.volume4j.inmemory.chaos.PlannerCoverage;
import io.volume4j.inmemory.chaos.PlannerCoverage.By;
import io.volume4j.inmemory.show.RunPage;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All our scenarios pass, and give the same run twice. */
class ScenariosTest {
    private static List<Path> files() throws IOException {
        try {
            Path root = Path.of(Objects.requireNonNull(ScenariosTest.class.getResource("/scenarios"), "scenarios")
                    .toURI());
            try (Stream<Path> all = Files.walk(root)) {
                return all.filter(file -> file.toString().endsWith(".yaml"))
                        .sorted()
                        .toList();
            }
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @TestFactory
    Stream<DynamicTest> holds() throws IOException {
        return files().stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> {
                    ScenarioResult result = ScenarioRunner.run(Scenario.read(file));
                    assertThat(result.passed())
                            .as(() -> result.report() + shown(result, file.getFileName() + ".html"))
                            .isTrue();
                }));
    }

    /** Writes what happened as a page, for a person who looks at a failure; where that is. */
    private static String shown(ScenarioResult result, String name) {
        try {
            Path page = Files.createDirectories(Path.of("target", "runs")).resolve(name);
            return "shown in " + Files.writeString(page, RunPage.of(result)).toAbsolutePath();
        } catch (IOException full) {
            return "not shown: " + full;
        }
    }

    @Test
    void thereAreEnoughOfThem() throws IOException {
        assertThat(files()).hasSizeGreaterThanOrEqualTo(60);
    }

    @Test
    void theSameFileGivesTheSameRun() throws IOException {
        for (Path file : files()) {
            long first = ScenarioRunner.run(Scenario.read(file)).hash();
            assertThat(ScenarioRunner.run(Scenario.read(file)).hash())
                    .as(file.toString())
                    .isEqualTo(first);
        }
    }

    /** What random schedules do not come to, scenarios do. */
    @Test
    void plannersTakeEveryBranchThatScenariosAreThereFor() throws IOException {
        PlannerCoverage coverage = new PlannerCoverage();
        for (Path file : files()) {
            assertThat(ScenarioRunner.run(Scenario.read(file), coverage::counted)
                            .passed())
                    .isTrue();
        }
        System.out.println("planner branches by scenarios: " + coverage.text(By.SCENARIOS));
        assertThat(coverage.missed(By.SCENARIOS)).isEmpty();
        assertThat(coverage.unknown()).isEmpty();
    }

    @Test
    void showsWhatIsNotAsExpected() {
        ScenarioResult result = ScenarioRunner.run(Scenario.read("f.yaml", """
                name: a claim that no volume satisfies
                components: [binding]
                given:
                  - {kind: PersistentVolumeClaim, metadata: {name: c, uid: u}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}, status: {phase: Pending}}
                steps:
                  - settle: 30s
                expect:
                  - object: PersistentVolumeClaim/default/c
                    matches: {status: {phase: Bound}}
                  - calls: [provision]
                """));
        assertThat(result.passed()).isFalse();
        assertThat(result.report())
                .contains("f.yaml:8", "- status.phase: Bound", "+ status.phase: Pending", "- provision", "seed 1");
    }

    /** Unlike {@code calls}, which allows others between them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            provision pvc-u, provision pvc-u                    | true
            provision pvc-u, provision                          | true
            provision pvc-u, provision pvc-u, delete pvc-u      | false
            provision pvc-u                                     | false
            provision pvc-u, provision pvc-u, provision pvc-u   | false
            provision pvc-u, provision pvc-v                    | false
            delete pvc-u                                        | false
            """)
    void onlyTheseCallsAreAllCallsWithTheirNames(String calls, boolean holds) {
        ScenarioResult result = ScenarioRunner.run(Scenario.read("f.yaml", """
                name: a volume that is made at the second attempt
                components: [binding]
                given:
                  - {kind: StorageClass, metadata: {name: fast}, provisioner: mem, volumeBindingMode: Immediate}
                  - {kind: PersistentVolumeClaim, metadata: {name: c, uid: u}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}, status: {phase: Pending}}
                steps:
                  - fail: {call: provision, as: transient}
                  - settle: 30s
                expect: [{onlyCalls: [%s]}]
                """.formatted(calls)));
        assertThat(result.passed()).as(result.report()).isEqualTo(holds);
    }

    /** Unlike {@code events}, which allows others between them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {reason: ProvisioningFailed, message: refused}, {reason: ProvisioningFailed, message: transient}    | true
            {reason: ProvisioningFailed, message: transient}                                                    | false
            {reason: ProvisioningFailed, message: transient}, {reason: ProvisioningFailed, message: refused}    | false
            {reason: ProvisioningFailed}, {reason: ProvisioningFailed}, {reason: ProvisioningFailed}            | false
            {reason: ProvisioningFailed}, {reason: ProvisioningFailed}, {reason: ProvisioningSucceeded}         | true
            {reason: ProvisioningFailed}, {reason: ProvisioningSucceeded}                                       | false
            """)
    void onlyTheseEventsAreAllEventsWithTheirReasons(String events, boolean holds) {
        ScenarioResult result = ScenarioRunner.run(
                Scenario.read("f.yaml", """
                name: a volume that is made at the third attempt
                components: [binding]
                given:
                  - {kind: StorageClass, metadata: {name: fast}, provisioner: mem, volumeBindingMode: Immediate}
                  - {kind: PersistentVolumeClaim, metadata: {name: c, uid: u}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}, status: {phase: Pending}}
                steps:
                  - fail: {call: provision, as: final}
                  - fail: {call: provision, as: transient}
                  - settle: 30s
                expect: [{onlyEvents: [%s]}]
                """.formatted(events.replace("refused", "scripted fault final"))));
        assertThat(result.passed()).as(result.report()).isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "false, false"})
    void aMountThatIsReadOnlySaysSo(boolean readOnly, boolean holds) {
        ScenarioResult result = ScenarioRunner.run(Scenario.read("f.yaml", """
                name: a volume of a pod
                components: [node]
                given:
                  - {kind: PersistentVolume, metadata: {name: v, uid: u-v}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], claimRef: {namespace: default, name: c, uid: u-c}}, status: {phase: Bound}}
                  - {kind: PersistentVolumeClaim, metadata: {name: c, uid: u-c}, spec: {accessModes: [ReadWriteOnce], volumeName: v, resources: {requests: {storage: 1Gi}}}, status: {phase: Bound}}
                  - {kind: Pod, metadata: {name: p, uid: p}, spec: {nodeName: n1, volumes: [{name: data, persistentVolumeClaim: {claimName: c, readOnly: %s}}], containers: [{name: c, volumeMounts: [{name: data, mountPath: /d}]}]}}
                steps:
                  - settle: 30s
                expect:
                  - mounted: {pod: default/p, volume: data, node: n1}
                  - onlyCalls: [mount v n1 p with readOnly]
                """.formatted(readOnly)));
        assertThat(result.passed()).as(result.report()).isEqualTo(holds);
    }

    @Test
    void theTimelineShowsWhatWasWritten() {
        ScenarioResult result = ScenarioRunner.run(Scenario.read("f.yaml", """
                name: a claim that is bound
                components: [binding]
                given:
                  - {kind: PersistentVolume, metadata: {name: v, uid: u-v}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce]}, status: {phase: Available}}
                  - {kind: PersistentVolumeClaim, metadata: {name: c, uid: u}, spec: {accessModes: [ReadWriteOnce], storageClassName: "", resources: {requests: {storage: 1Gi}}}, status: {phase: Pending}}
                steps:
                  - settle: 30s
                  - patch: {object: PersistentVolume//v, set: {spec.persistentVolumeReclaimPolicy: Retain}}
                expect:
                  - unchanged: PersistentVolume//v
                """));
        assertThat(result.report())
                .contains("patch PersistentVolumeClaim/default/c controller-1: {spec.volumeName: v")
                .contains(
                        "step patch: {object: PersistentVolume//v, set: {spec.persistentVolumeReclaimPolicy: Retain}}")
                .contains("f.yaml:10: {unchanged: PersistentVolume//v}")
                .contains("- spec.claimRef: (absent)\n")
                .contains("+ status.phase: Bound");
    }

    @Test
    void aHookWhoseOperationNeverBeginsIsAFailure() {
        ScenarioResult result = ScenarioRunner.run(Scenario.read("f.yaml", """
                name: x
                steps:
                  - before: {operation: expand, do: [{delete: Pod/default/p}]}
                  - settle: 30s
                expect: [{absent: Pod/default/p}]
                """));
        assertThat(result.failures()).containsExactly("f.yaml:3: no operation expand began after that");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            fail: {call: provision, as: transient}                                                  |
            fail: {call: delete, as: transient}                                                     | f.yaml:6: no call had this fault
            fail: {call: delete, as: transient, times: always}                                      | f.yaml:6: no call had this fault
            fail: {call: provision, as: transient, nth: 2}                                          | f.yaml:6: no call had this fault
            rejectWrites: {kind: PersistentVolume, verb: create, times: 3, as: unavailable}         |
            rejectWrites: {kind: PersistentVolume, verb: delete, times: 3, as: unavailable}         | f.yaml:6: no request had this fault
            """)
    void aFaultThatNeverHappensIsAFailure(String step, @Nullable String failure) {
        for (String heal : List.of("", "  - heal: {plugin: mem}\n")) {
            ScenarioResult result = ScenarioRunner.run(Scenario.read("f.yaml", """
                    name: x
                    components: [binding]
                    given:
                      - {kind: StorageClass, metadata: {name: fast}, provisioner: mem, volumeBindingMode: Immediate}
                    steps:
                      - %s
                      - apply: {kind: PersistentVolumeClaim, metadata: {name: c, uid: u}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}, status: {phase: Pending}}
                      - settle: 1m
                    %sexpect: [{absent: Pod/default/p}]
                    """.formatted(step, heal)));
            assertThat(result.failures()).isEqualTo(failure == null ? List.of() : List.of(failure));
        }
    }

    @Test
    void aVisitOfAnObjectThatIsNotThereIsAnError() {
        Scenario scenario = Scenario.read("f.yaml", """
                {name: x, components: [binding], sync: once, steps: [{visit: PersistentVolume//v}], expect: [{absent: Pod//p}]}
                """);
        assertThatThrownBy(() -> ScenarioRunner.run(scenario))
                .hasMessageStartingWith("f.yaml:1:62: no controller looks at PersistentVolume//v");
    }

    /** So that a hook's word stays the name of a step when steps are renamed. */
    @Test
    void theOperationsOfHooksAreNamesOfSteps() {
        List<String> kinds = Stream.of(
                        BindingStep.Kind.values(),
                        ExpandStep.Kind.values(),
                        ModifyStep.Kind.values(),
                        PopulateStep.Kind.values(),
                        NodeStep.Kind.values())
                .flatMap(Stream::of)
                .map(Hooks::word)
                .toList();
        assertThat(kinds).containsAll(Hooks.OPERATIONS);
    }

    /** As Kubernetes reads them, and as {@link io.volume4j.core.codec.Manifests} does. */
    @Test
    void scalarsMeanWhatTheyMeanInManifests() {
        ScenarioResult result = ScenarioRunner.run(Scenario.read("f.yaml", """
                name: x
                components: [binding]
                given:
                  - kind: Pod
                    metadata: {name: p, uid: u}
                    spec:
                      hostUsers: yes
                      activeDeadlineSeconds: 0x10
                      volumes: [{name: s, secret: {secretName: s, defaultMode: 0644}}]
                      containers: [{name: c, image: i}]
                  - {kind: StorageClass, metadata: {name: sc, uid: sc}, provisioner: mem, parameters: {from: 12:30}}
                expect:
                  - {object: StorageClass//sc, matches: {parameters: {from: "12:30"}}}
                  - object: Pod/default/p
                    matches:
                      spec: {hostUsers: true, activeDeadlineSeconds: 16, volumes: [{name: s, secret: {secretName: s, defaultMode: 420}}]}
                """));
        assertThat(result.failures()).isEmpty();
    }

    private static final String POD =
            "metadata: {name: p, uid: u-p}, spec: {nodeName: n1, volumes: [{name: data, csi: {driver: a}}],"
                    + " containers: [{name: c, image: i, volumeMounts: [{name: data, mountPath: /d}]}]}";

    /** A fault that hit the other plugin would fail an innocent scenario, or let a guilty one pass. */
    @Test
    void aFaultOfOnePluginHitsNoOtherAndIsHealedByItsNameOnly() {
        ScenarioResult result = ScenarioRunner.run(Scenario.read("f.yaml", """
                name: x
                components: [node]
                plugins: [{name: a}, {name: b}]
                steps:
                  - fail: {plugin: b, call: mountDevice, as: transient, times: always}
                  - fail: {plugin: a, call: mount, as: transient, times: always}
                  - apply: {kind: Pod, %s}
                  - heal: {plugin: b}
                  - advance: 5s
                  - expect: {unmounted: {pod: default/p}}
                  - expect: {calls: [mountDevice, mount, mount]}
                  - heal: {plugin: a}
                  - settle: 3m
                expect:
                  - mounted: {pod: default/p}
                """.formatted(POD)));
        assertThat(result.failures())
                .singleElement(InstanceOfAssertFactories.STRING)
                .isEqualTo("f.yaml:5: no call had this fault");
    }

    @Test
    void whatBecameOfAPodCanBeAskedAfterItIsGoneThoughAStepMadeIt() {
        ScenarioResult result = ScenarioRunner.run(Scenario.read("f.yaml", """
                name: x
                components: [node]
                plugins: [{name: a}]
                steps:
                  - apply: {kind: Pod, %s}
                  - settle: 30s
                  - expect: {mounted: {pod: default/p}}
                  - delete: Pod/default/p
                  - settle: 30s
                  - delete: Pod/default/p
                expect:
                  - absent: Pod/default/p
                  - unmounted: {pod: default/p, node: n1}
                """.formatted(POD)));
        assertThat(result.failures()).isEmpty();
    }

    @Test
    void aNodesEventsCanBeExpected() {
        ScenarioResult result = ScenarioRunner.run(Scenario.read("f.yaml", """
                name: x
                components: [node]
                plugins: [{name: a}]
                given:
                  - {kind: Pod, %s}
                steps:
                  - fail: {call: mount, as: final}
                  - settle: 30s
                expect:
                  - events: [{type: Warning, reason: FailedMount, object: Pod/default/p}]
                  - mounted: {pod: default/p}
                """.formatted(POD)));
        assertThat(result.failures()).isEmpty();
    }

    @Test
    void anEphemeralVolumeIsMountedUnderTheNameThatItsClaimGaveIt() {
        ScenarioResult result = ScenarioRunner.run(Scenario.read("f.yaml", """
                name: x
                given:
                  - {kind: StorageClass, metadata: {name: sc, uid: sc}, provisioner: mem}
                  - kind: Pod
                    metadata: {name: p, uid: u-p}
                    spec:
                      nodeName: n1
                      volumes: [{name: data, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], storageClassName: sc, resources: {requests: {storage: 1Gi}}}}}}]
                      containers: [{name: c, image: i, volumeMounts: [{name: data, mountPath: /d}]}]
                steps:
                  - settle: 1m
                expect:
                  - mounted: {pod: default/p, volume: data}
                """));
        assertThat(result.failures()).isEmpty();
    }

    @Test
    void aPodWithoutVolumesHasNoneMounted() {
        ScenarioResult result = ScenarioRunner.run(Scenario.read("f.yaml", """
                name: x
                components: [node]
                given: [{kind: Pod, metadata: {name: p, uid: u}, spec: {nodeName: n1, containers: [{name: c, image: i}]}}]
                expect: [{mounted: {pod: default/p}}]
                """));
        assertThat(result.failures()).singleElement().asString().contains("the pod has no volumes");
    }

    /** An expectation that does not hold is a failure with a diff, also where no agent can be asked. */
    @Test
    void whatNoAgentExplainsIsSaidInsteadOfAnError() {
        ScenarioResult result = ScenarioRunner.run(Scenario.read("f.yaml", """
                name: x
                plugins: [{name: a, attach: false}]
                given:
                  - {kind: Pod, %s}
                  - {kind: Pod, metadata: {name: idle, uid: u-i}, spec: {volumes: [{name: data, csi: {driver: a}}], containers: [{name: c, image: i}]}}
                steps:
                  - settle: 30s
                  - expect: {explains: {object: Node//n1, contains: "node n1: as it should be"}}
                  - crash: node/n1
                expect:
                  - explains: {object: Pod/default/p, contains: "node n1 of Pod/default/p is down"}
                  - explains: {object: Pod/default/idle, contains: "Pod/default/idle has no node"}
                """.formatted(POD)));
        assertThat(result.failures()).isEmpty();
    }
}
