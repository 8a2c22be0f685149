package io.volume4j.inmemory.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.model.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A scenario that is wrong is refused before anything runs, at the field that is wrong, with the nearest right name. */
class WrongScenariosTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nam: x                                  | f.yaml:1:1: unknown key "nam"; did you mean "name"?
            {name: x, steps: [{sleep: 3s}]}         | f.yaml:1:20: no step is called "sleep"
            {name: x, steps: [{settel: 3s}]}        | f.yaml:1:20: no step is called "settel"; did you mean "settle"?
            {name: x, steps: [{settle: soon}]}      | f.yaml:1:28: expected a duration
            {name: x, steps: [{delete: Cat/a/b}]}   | f.yaml:1:28: expected Kind/namespace/name
            {name: x, steps: [{delete: Pods/a/b}]}  | f.yaml:1:28: expected Kind/namespace/name, not "Pods/a/b"; did you mean "Pod"?
            {name: x, given: [{kind: Cat}]}         | f.yaml:1:26: no kind of object is called "Cat"
            {name: x, expect: [{objct: Pod/a/b}]}   | f.yaml:1:21: no expectation is called "objct"; did you mean "object"?
            {name: x, components: [nod]}            | f.yaml:1:24: no component is called "nod"; did you mean "node"?
            {name: x, outside: [{resiser: d}]}      | f.yaml:1:22: no process outside is called "resiser"; did you mean "resizer"?
            {name: x, plugins: [{name: m, atach: true}]}  | f.yaml:1:31: unknown key "atach"; did you mean "attach"?
            {name: x, plugins: [{name: m, attach: yess}]} | f.yaml:1:39: expected true or false
            {name: x, sync: onse}                   | f.yaml:1:17: no way to sync is called "onse"; did you mean "once"?
            {name: x, sync: once}                   | f.yaml:1:17: only controllers of objects visit once
            {name: x, name: y}                      | f.yaml:1:
            {name: x, nodes: [n1, n1]}              | f.yaml:1:23: "n1" is there twice
            {name: x, nodes: [N_1]}                 | f.yaml:1:19: the name of a node must be a DNS-1123 subdomain
            {name: x, plugins: [{name: m}, {name: m}]}       | f.yaml:1:39: two plugins are called "m"
            {name: x, plugins: [{name: ""}]}                 | f.yaml:1:28: the name of a plugin must be a qualified name
            {name: x, plugins: [{name: m, bytes: -3}]}       | f.yaml:1:38: expected a number from 0 on, not -3
            {name: x, plugins: [{name: m, snapshotLooks: 0}]} | f.yaml:1:46: expected a number from 1 on, not 0
            {name: x, steps: [{advance: 99999999999999s}]}   | f.yaml:1:29: expected a duration
            {name: x, steps: [{advance: 999999999d}]}        | f.yaml:1:29: a run takes at most 36500 days
            {name: x, steps: [{delete: Pod/default/}]}       | f.yaml:1:28: "Pod/default/" names no object
            """)
    void saysWhereAFileIsWrong(String text, String message) {
        refused(text, message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {translation: []}                                                                       | 1:23: unknown key "translation"; did you mean "translations"?
            {translations: []}                                                                      | 1:37: the list is empty
            {translations: [{provisioner: p, source: rbd, driver: d}]}                              | 1:38: the key "handle" is missing
            {translations: [{provisioner: p, source: rbdd, driver: d, handle: image}]}              | 1:63: no field of a PersistentVolume in a PersistentVolumeSpec is called "rbdd"; did you mean "rbd"?
            {translations: [{provisioner: p, source: rbd, driver: d, handle: imagge}]}              | 1:87: no field of a PersistentVolume in a RBDPersistentVolumeSource is called "imagge"; did you mean "image"?
            {translations: [{provisioner: p, source: nfs, driver: d, handle: path}]}                | 1:63: the library handles the source "nfs" itself
            {translations: [{provisioner: p, source: rbd, driver: ebs.csi.aws.com, handle: image}]} | 1:76: the driver "ebs.csi.aws.com" is translated already
            {translations: [{provisioner: kubernetes.io/cinder, source: rbd, driver: d, handle: image}]} | 1:52: the provisioner "kubernetes.io/cinder" is translated already
            """)
    void aTranslationThatNothingWouldUseIsRefusedAtItsField(String migration, String problem) {
        refused("{name: x, migration: " + migration + "}", "f.yaml:" + problem);
    }

    /** Without this the exception of the parser would end a run of many files, without the name of the one that is wrong. */
    @Test
    void aTextThatIsNoYamlIsRefusedWithItsName() {
        refused("name: x\nseed: \"\u0007\"", "f.yaml:2:8: the character U+0007 is not allowed in YAML");
        refused("[".repeat(40) + "]".repeat(40), "f.yaml:1:1: the file cannot be read: ");
        refused("{name: x, given: &a [], steps: *a}", "f.yaml:1:1: the file cannot be read: ");
        refused("name: x\n---\nname: y", "f.yaml:2:1: but found another document");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            steps: [{delete: PersistentVolume//w}]             | 1:28: there is no object PersistentVolume//w to delete
            steps: [{containersRunning: default/idle}]         | 1:39: pod default/idle has no node
            steps: [{expect: {unmounted: {pod: default/never}}}] | 1:46: there is no pod default/never, and there was none
            """)
    void aStepAboutWhatIsNotThereEndsTheRun(String steps, String problem) {
        Scenario scenario = Scenario.read(
                "f.yaml",
                "{name: x, " + steps + ", expect: [{absent: Pod/default/x}], given: ["
                        + "{kind: Pod, metadata: {name: idle, uid: i}, spec: {containers: [{name: c, image: i}]}}]}");
        assertThatThrownBy(() -> ScenarioRunner.run(scenario))
                .isInstanceOf(ScenarioException.class)
                .hasMessageStartingWith("f.yaml:" + problem);
    }

    @Test
    void aFileThatExpectsNothingIsRefused() {
        refused("{name: x}", "f.yaml:1:1: the key \"expect\" is missing");
        refused("{name: x, expect: []}", "f.yaml:1:19: the list is empty");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {calls: []}                             | the list is empty
            {noCalls: []}                           | the list is empty
            {onlyCalls: []}                         | the list is empty
            {onlyCalls: [atach v1]}                 | no call is called "atach"; did you mean "attach"?
            {noCalls: [delet v1]}                   | no call is called "delet"; did you mean "delete"?
            {calls: [attach v1, detatch v1]}        | no call is called "detatch"; did you mean "detach"?
            {events: []}                            | the list is empty
            {onlyEvents: []}                        | the list is empty
            {onlyEvents: [{type: Warning}]}         | the key "reason" is missing
            {noEvents: {reason: ProvisionFailed}}   | no reason of an event is called "ProvisionFailed"; did you mean "ProvisioningFailed"?
            {noEvents: {type: Waring}}              | no type of event is called "Waring"; did you mean "Warning"?
            {noEvents: {object: Pod}}               | expected Kind/namespace/name
            {events: [{raeson: x}]}                 | unknown key "raeson"; did you mean "reason"?
            {object: Pod/a/b, matches: {}}          | there is no field
            {object: Pod/a/b, matches: {status: {fase: null}}} | no field of a Pod in a PodStatus is called "fase"; did you mean "phase"?
            {unmounted: {pod: a, node: n11}}        | no node of this scenario is called "n11"; did you mean "n1"?
            {explains: {object: Pod/a/b}}           | the key "contains" is missing
            """)
    void anExpectationThatCouldNotFailIsRefused(String expectation, String problem) {
        refused("{name: x, expect: [" + expectation + "]}", "f.yaml:1:", problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {fail: {call: atach, as: final}}                           | no call is called "atach"; did you mean "attach"?
            {fail: {call: attach, as: transiant}}                      | no fault is called "transiant"; did you mean "transient"?
            {fail: {call: attach, as: dangling}}                       | a dangling attachment names the node
            {fail: {call: attach, as: final, after: 3s}}               | only lateSuccess and delay take an "after"
            {fail: {call: attach, as: final, times: 0}}                | expected a number from 1 on
            {fail: {call: attach, as: final, plugin: men}}             | no plugin of this scenario is called "men"; did you mean "mem"?
            {fail: {call: attach, as: final, node: n2}}                | no node of this scenario is called "n2"; did you mean "n1"?
            {rejectWrites: {kind: Pod, verb: creat, as: conflict}}     | no verb is called "creat"; did you mean "create"?
            {rejectWrites: {kind: Pod, verb: create, as: conflikt}}    | no rejection is called "conflikt"; did you mean "conflict"?
            {rejectWrites: {kind: Pot, verb: create, as: conflict}}    | no kind of object is called "Pot"; did you mean "Pod"?
            {before: {operation: provison, do: [{delete: Pod/a/b}]}}   | no operation is called "provison"; did you mean "provision"?
            {before: {operation: mount, do: []}}                       | the list is empty
            {before: {operation: mount, do: [{settle: 3s}]}}           | no step that can happen in the middle of an operation is called "settle"
            {visit: Pod/default/p}                                     | controllers look at objects by themselves here
            {heal: {plugin: men}}                                      | no plugin of this scenario is called "men"
            {crash: node/n2}                                           | no process of this scenario is called "node/n2"; did you mean "node/n1"?
            {leaderChange: controler}                                  | no process of this scenario is called "controler"; did you mean "controller"?
            {leaderChange: node/n1}                                    | the lead is that of the controllers
            {reboot: controller}                                       | only a node can be rebooted
            {patch: {object: Pod/default/p, set: {"spec.volumes[0].name": x}}} | the path spec.volumes[0].name leads into a list: set the whole list, spec.volumes
            {patch: {object: Pod/default/p, set: {"": x}}}             | a field is named by its path
            {sourcesIncomplete: pod}                                   | no kind of objects is called "pod"; did you mean "pods"?
            {apply: {kind: Pod, metadata: {nam: p}}}                   | no field of a Pod in a ObjectMeta is called "nam"; did you mean "name"?
            {patch: {object: Pod/default/p, set: {spec.nodName: n1}}}  | no field of a Pod in a PodSpec is called "nodName"; did you mean "nodeName"?
            {patch: {object: Pod/default/p, set: {spec: {nod: n1}}}}   | no field of a Pod in a PodSpec is called "nod"
            """)
    void aStepThatWouldDoNothingIsRefused(String step, String problem) {
        String text = "{name: x, steps: [" + step + "], expect: [{absent: Pod/default/x}]}";
        refused(text, "f.yaml:1:", problem);
    }

    @Test
    void aMisspeltFieldOfAGivenObjectIsRefusedWhereItStands() {
        refused(
                """
                name: x
                given:
                  - kind: PersistentVolumeClaim
                    metadata: {name: c}
                    spec:
                      acessModes: [ReadWriteOnce]
                """,
                "f.yaml:6:7: no field of a PersistentVolumeClaim in a PersistentVolumeClaimSpec is called"
                        + " \"acessModes\"; did you mean \"accessModes\"?");
    }

    @Test
    void aFieldThatNoRecordOfOursHasIsAllowedIfKubernetesHasIt() {
        Scenario.read("f.yaml", """
                name: x
                given:
                  - kind: Pod
                    metadata: {name: p, labels: {any: thing}, annotations: {a.b/c: d}}
                    spec:
                      restartPolicy: Never
                      containers: [{name: c, image: i, resources: {limits: {cpu: 1}}, livenessProbe: {httpGet: {port: 80}}}]
                expect: [{absent: Pod/default/x}]
                """);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void theFieldsOfEachKindAreKnown(Kind kind) {
        refused(
                "{name: x, given: [{kind: " + kind.apiName() + ", metadata: {nam: x}}]}",
                "f.yaml:1:",
                "no field of a " + kind.apiName() + " in a ObjectMeta is called \"nam\"; did you mean \"name\"?");
    }

    @Test
    void anErrorInAnObjectPointsAtTheField() {
        refused(
                """
                name: x
                given:
                  - kind: PersistentVolumeClaim
                    metadata: {name: c}
                    spec:
                      accessModes:
                        - ReadWriteOnce
                        - ReadWriteTwice
                      resources: {requests: {storage: 1Gi}}
                """,
                "f.yaml:8:11: PersistentVolumeClaim default/c: spec.accessModes[1]: \"ReadWriteTwice\" is not known");
    }

    @Test
    void aPatchWithAWordThatIsNotKnownIsRefused() {
        Scenario scenario = Scenario.read("f.yaml", """
                name: x
                given:
                  - {kind: PersistentVolumeClaim, metadata: {name: c}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
                steps:
                  - patch: {object: PersistentVolumeClaim/default/c, set: {spec.accessModes: [ReadWriteTwice]}}
                expect:
                  - {object: PersistentVolumeClaim/default/c, matches: {metadata: {name: c}}}
                """);
        assertThatThrownBy(() -> ScenarioRunner.run(scenario))
                .isInstanceOf(ScenarioException.class)
                .hasMessageStartingWith(
                        "f.yaml:5:59: PersistentVolumeClaim default/c: spec.accessModes[0]: \"ReadWriteTwice\" is not known");
    }

    @Test
    void anObjectThatIsGivenTwiceIsRefused() {
        refused("""
                name: x
                given:
                  - {kind: Node, metadata: {name: n1}}
                  - {kind: Node, metadata: {name: n1}}
                """, "f.yaml:4:35: Node");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{name: x, given: [{kind: Node, kind: Node}]}",
                "{name: x, steps: [{heal: {plugin: a, plugin: b}}]}"
            })
    void aKeyThatIsThereTwiceIsRefused(String text) {
        assertThatThrownBy(() -> Scenario.read("f.yaml", text)).hasMessageContaining("is there twice");
    }

    @Test
    void aVolumeThatThePodDoesNotHaveIsNotMounted() {
        Scenario scenario = Scenario.read("f.yaml", """
                name: x
                given:
                  - {kind: Pod, metadata: {name: p, uid: p}, spec: {nodeName: n1, volumes: [{name: data, emptyDir: {}}], containers: [{name: c, volumeMounts: [{name: data, mountPath: /d}]}]}}
                expect:
                  - mounted: {pod: default/p, volume: date, node: n1}
                """);
        assertThatThrownBy(() -> ScenarioRunner.run(scenario))
                .hasMessage(
                        "f.yaml:5:39: no volume of the pod is called \"date\"; did you mean \"data\"?; there are data");
    }

    /** So that a reason which an expectation names is one that the library sends. */
    @Test
    void theReasonsOfEventsAreThoseOfTheirPage() throws IOException {
        List<String> rows = new ArrayList<>();
        Matcher row = Pattern.compile("^\\| `([A-Za-z]+)` \\|", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("../../docs/events.md")));
        while (row.find()) {
            rows.add(row.group(1));
        }
        assertThat(EventReasons.ALL).containsExactlyInAnyOrderElementsOf(rows);
    }

    private static void refused(String text, String place, String problem) {
        assertThatThrownBy(() -> Scenario.read("f.yaml", text))
                .isInstanceOf(ScenarioException.class)
                .hasMessageStartingWith(place)
                .hasMessageContaining(": " + problem);
    }

    private static void refused(String text, String message) {
        assertThatThrownBy(() -> Scenario.read("f.yaml", text))
                .isInstanceOf(ScenarioException.class)
                .hasMessageStartingWith(message);
    }
}
