import Foundation
import JSON
import RandomSequences
import Testing

@Suite struct JSONTests {
    /// A value with every kind of content, of a limited depth.
    private static func value(_ random: inout SeededRandom, depth: Int = 0) -> JSON {
        let texts = ["", "a", "é\u{1F600}\n\t\"\\/\u{7F}\u{1}", "name-2"]
        switch Int.random(in: 0...(depth < 4 ? 6 : 4), using: &random) {
        case 0: return .null
        case 1: return .truth(Bool.random(using: &random))
        case 2: return .integer(Int.random(in: Int.min...Int.max, using: &random))
        case 3: return .number(Double.random(in: -1e3...1e3, using: &random) * 1e-9)
        case 4: return .text(texts.randomElement(using: &random) ?? "")
        case 5: return .list((0..<3).map { _ in value(&random, depth: depth + 1) })
        default: return .object((0..<3).map { ("\($0)é", value(&random, depth: depth + 1)) })
        }
    }

    @Test(arguments: 1...300) func writtenValuesAreRead(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let line = Self.value(&random).line
        #expect(try JSON(reading: line).line == line)
        #expect(throws: Never.self) {
            try JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed)
        }
    }

    @Test func valuesHaveTheirKinds() throws {
        let text = #" { "a" : [ 1 , -2.5e1, 4.0 , true, null ] ,"b":"\ud83d\ude00\u00e9\/\b" , "c":{}, "d":[] } "#
        let fields = try #require(try JSON(reading: text).object)
        #expect(fields.map(\.0) == ["a", "b", "c", "d"])
        let list = try #require(fields[0].1.list)
        #expect(list.map(\.number) == [1, -25, 4, nil, nil])
        #expect(list.map(\.integer) == [1, -25, 4, nil, nil])
        #expect(list.map(\.truth) == [nil, nil, nil, true, nil])
        #expect(list.map(\.isNull) == [false, false, false, false, true])
        #expect(fields[1].1.text == "\u{1F600}é/\u{8}")
        #expect(fields[2].1.object?.isEmpty == true)
        #expect(fields[3].1.list?.isEmpty == true)
    }

    @Test func numbersKeepTheirDigits() throws {
        #expect(try JSON(reading: "9223372036854775807").integer == Int.max)
        #expect(try JSON(reading: "9223372036854775808").number == 0x1p63)
        #expect(try JSON(reading: "0.1").number == 0.1)
        #expect(JSON.list([.number(.nan), .number(3), .number(-0.5)]).line == "[null,3,-0.5]")
    }

    @Test(arguments: [
        ("", "line 1, column 1: there is no value; a value is an object"),
        ("[1,\n é]", "line 2, column 2: there is no value"),
        ("{\"é\": 1, \"é\": 2}", "line 1, column 10: the object has two fields \"é\""),
        ("{\"a\" 1}", "column 6: there is no colon"), ("{a: 1}", "column 2: there is no name"),
        ("[1 2]", "column 4: there is no comma or ]"), ("[1,]", "column 4: there is no value"),
        ("{\"a\":1,}", "column 8: there is no name"), ("1 x", "column 3: there is more text"),
        ("01", "column 1: a number begins with a digit"), ("-", "column 1: a number begins"),
        ("1.", "column 3: there is no digit"), ("1e+", "column 4: there is no digit"), ("1e999", "too large"),
        ("\"a", "column 1: the text does not end"), ("\"\t\"", "no control characters"),
        (#""\x""#, "column 2: after"), (#""\u12g4""#, "column 4: after"), (#""\u+123""#, "column 4: after"),
        (#""\ud800""#, "column 2: half"), (#""\ud800\ud800""#, "column 2: half"), (#""\udc00""#, "column 2: half"),
        ("nul", "there is no value"),
    ])
    func mistakesHaveAPlace(text: String, message: String) throws {
        let error = try #require(throws: GscapError.self) { try JSON(reading: text) }
        #expect(error.description.contains(message), "\(error)")
    }

    @Test func bytesThatAreNotUTF8AreRefused() throws {
        let error = try #require(throws: GscapError.self) { try JSON(reading: [0x20, 0x22, 0xC3, 0x22]) }
        #expect(error.description == "line 1, column 2: the text is not valid UTF-8")
    }

    @Test func sizeAndDepthAreLimited() throws {
        let limits = JSON.Limits(size: 64, depth: 3)
        #expect(throws: Never.self) { try JSON(reading: "[{\"a\":[1]},[[]]]", limits) }
        let deep = try #require(throws: GscapError.self) { try JSON(reading: "[{\"a\":[[1]]}]", limits) }
        #expect(deep.description == "line 1, column 8: more than 3 arrays and objects are inside each other")
        let long = try #require(throws: GscapError.self) {
            try JSON(reading: String(repeating: " ", count: 64) + "1", limits)
        }
        #expect(long.message == "the text has more than 64 bytes")
        let nested = String(repeating: "[", count: 500_000)
        #expect(throws: GscapError.self) { try JSON(reading: nested) }
    }

    /// Reading mutated texts ends with a value or an error inside of the text.
    @Test(arguments: 1...300) func damagedTextsAreRefused(seed: UInt64) {
        var random = SeededRandom(seed)
        var bytes = Array(Self.value(&random).line.utf8)
        for _ in 0..<3 {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        do throws(GscapError) {
            #expect(!(try JSON(reading: bytes).line.isEmpty))
        } catch {
            let place = error.place.split { !$0.isNumber }.compactMap { Int($0) }
            #expect(place.count == 2 && place.allSatisfy { (1...bytes.count + 1).contains($0) }, "\(error)")
        }
    }
}
