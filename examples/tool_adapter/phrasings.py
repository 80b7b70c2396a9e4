"""The phrasings of the training questions. None of them is in `aworld.environments.math`.

`{a}`, `{b}`, `{c}` are the numbers, `{name}` a person, `{x}` a kind of thing, `{y}` another.
"""

from __future__ import annotations

NAMES = [
    "Anna",
    "Ben",
    "Carla",
    "David",
    "Elif",
    "Felix",
    "Hana",
    "Igor",
    "Julia",
    "Kofi",
    "Lena",
    "Marco",
    "Nora",
    "Omar",
    "Petra",
    "Ravi",
    "Sofia",
    "Tom",
    "Uma",
    "Viktor",
    "Wei",
    "Yusuf",
    "Zoe",
    "Alex",
    "Maria",
    "John",
    "Mia",
    "Leo",
    "Sam",
    "Priya",
]

THINGS = [
    "bottles",
    "shirts",
    "nails",
    "candles",
    "flowers",
    "tiles",
    "cables",
    "photos",
    "chairs",
    "bricks",
    "lemons",
    "buttons",
    "toys",
    "letters",
    "peaches",
    "screws",
    "cookies",
    "plates",
    "parcels",
    "shells",
    "cards",
    "lamps",
    "kites",
    "melons",
    "badges",
    "posters",
    "sheep",
    "onions",
    "cups",
    "keys",
    "batteries",
    "tomatoes",
    "magazines",
    "envelopes",
    "plums",
    "beads",
]

GROUPS = [
    "box",
    "carton",
    "sack",
    "tray",
    "basket",
    "pallet",
    "drawer",
    "case",
    "rack",
    "packet",
    "jar",
    "van",
]

PHRASINGS: dict[str, tuple[str, ...]] = {
    "sum": (
        "What is {a} plus {b}?",
        "{a} + {b}",
        "What is {a} + {b}?",
        "Add {a} and {b}.",
        "Compute {a} + {b}.",
        "What is the sum of {a} and {b}?",
        "{name} has {a} {x} and buys {b} more. How many {x} does {name} own?",
        "There are {a} {x} in the cellar and {b} {x} in the attic. How many is that altogether?",
        "A factory made {a} {x} last year and {b} this year. How many did it make over both years?",
        "One truck carries {a} {x}, another carries {b}. What do they carry between them?",
        "{name} scored {a} points in the first game and {b} in the second. "
        "What is the total score?",
        "A village of {a} people grew by {b} people. How many people live there today?",
        "{name} drove {a} km in spring and {b} km in summer. How far did {name} drive overall?",
        "If {b} {x} are added to a pile of {a}, how large is the pile?",
    ),
    "difference": (
        "What is {a} minus {b}?",
        "{a} - {b}",
        "Subtract {b} from {a}.",
        "Compute {a} - {b} please.",
        "What is the difference between {a} and {b}?",
        "A shop had {a} {x} and sold {b}. How many {x} remain in the shop?",
        "{name} needs {a} points and has {b}. How many points are missing?",
        "Of {a} {x}, {b} are broken. How many are fine?",
        "{name} owned {a} {x} but lost {b}. How many are there now?",
        "A rope of {a} cm is shortened by {b} cm. How long is it afterwards?",
        "The mountain is {a} m high and the hut lies at {b} m. How many metres remain to climb?",
        "{a} guests were invited, {b} stayed at home. How many came?",
        "There were {a} {x} in the store. After {b} of them were taken away, "
        "how many were left over?",
        "{name} had {a} euros and paid {b} euros for a bicycle. How much money remains?",
        "A barrel contained {a} ml of oil. {b} ml leaked out. How much oil is still inside?",
    ),
    "product": (
        "What is {a} times {b}?",
        "What is {a} multiplied by {b}?",
        "{a} * {b}",
        "{a} x {b} = ?",
        "Multiply {a} by {b}.",
        "Calculate the product of {a} and {b}.",
        "There are {a} {g}s with {b} {x} in each {g}. How many {x} are there?",
        "{name} fills {a} {g}s. Every {g} gets {b} {x}. How many {x} does {name} use?",
        "A worker makes {a} {x} an hour. How many {x} come out in {b} hours?",
        "One ticket costs {a} euros. What do {b} of them cost?",
        "{name} reads {a} chapters a month. How many chapters is that in {b} months?",
        "A field has {a} rows of {b} trees. How many trees grow in the field?",
        "If each of {a} children brings {b} {x}, how many {x} do they have?",
        "A printer makes {a} copies per minute. How many copies are made in {b} minutes?",
        "{name} earns {a} euros a day. How much does {name} earn in {b} days?",
        "A building has {a} floors and {b} rooms on each floor. How many rooms does it have?",
    ),
    "quotient": (
        "What is {a} divided by {b}?",
        "{a} / {b}",
        "Divide {a} by {b}.",
        "Compute {a} / {b}.",
        "What do I get when I divide {a} by {b}?",
        "{name} shares {a} {x} fairly with {b} people in all. How many does each person get?",
        "{a} {x} are put into {b} equal piles. How many {x} are in one pile?",
        "A {g} holds {b} {x}. How many {g}s do you need for {a} {x}?",
        "{b} friends split a bill of {a} euros evenly. How much does each of them pay?",
        "A train covers {a} km in {b} hours. How many km does it cover in an hour?",
        "{name} plants {a} {x} in {b} equal rows. How many go in a row?",
        "A roll of {a} m is cut into pieces of {b} m. How many pieces are there?",
        "{a} {x} are distributed evenly to {b} schools. How many does every school receive?",
        "The teacher gives out {a} {x} to {b} pupils so that all have the same number. "
        "How many does a pupil have?",
        "{name} sorts {a} {x} into groups of {b}. How many groups are made?",
    ),
    "product_plus": (
        "What is {a} times {b} plus {c}?",
        "{a} * {b} + {c}",
        "Multiply {a} by {b} and add {c}.",
        "Compute {a} x {b} + {c}.",
        "There are {a} {g}s with {b} {x} in each, and {c} loose {x}. How many {x} in all?",
        "{name} has {a} {g}s of {b} {x} and gets {c} more {x}. How many {x} does {name} have?",
        "A hall has {a} benches for {b} people each, and room for {c} people to stand. "
        "How many people fit in?",
        "A plumber asks {a} euros an hour and {c} euros for the drive. What does he ask for "
        "{b} hours?",
        "{name} makes {a} {x} a day for {b} days, then {c} more on the last evening. "
        "How many {x} does {name} make?",
        "A school has {a} classes of {b} pupils and {c} teachers. How many people are there?",
        "{a} buses bring {b} tourists each, and {c} tourists come on foot. How many tourists come?",
        "A store orders {a} {g}s of {b} {x} and already has {c} {x}. How many {x} will it have?",
        "{name} puts aside {a} euros every week for {b} weeks and had {c} euros at the start. "
        "How much is it in the end?",
    ),
    "product_minus": (
        "What is {a} times {b} minus {c}?",
        "{a} * {b} - {c}",
        "Multiply {a} by {b} and take away {c}.",
        "Compute {a} x {b} - {c}.",
        "{name} buys {a} {g}s of {b} {x} and gives {c} {x} to a friend. How many are left?",
        "A farm fills {a} {g}s with {b} {x} each. {c} of the {x} go bad. How many stay good?",
        "There are {a} tables with {b} places each; {c} places are taken. How many are free?",
        "A worker makes {a} {x} an hour for {b} hours, but {c} {x} fail the test. "
        "How many pass it?",
        "{name} earns {a} euros a week for {b} weeks and spends {c} euros. How much remains?",
        "A ship carries {a} containers of {b} {x}. {c} {x} are lost at sea. How many arrive?",
        "{a} {g}s arrived with {b} {x} each, and {c} {x} were sold at once. "
        "How many {x} are still there?",
        "A team lays {a} {x} a day. After {b} days {c} {x} have to be removed. "
        "How many stay in place?",
        "{name} took {a} films of {b} pictures each and deleted {c} pictures. "
        "How many pictures are kept?",
    ),
    "sum_times": (
        "What is {a} plus {b}, all multiplied by {c}?",
        "({a} + {b}) * {c}",
        "Take the sum of {a} and {b} and multiply it by {c}.",
        "Add {a} to {b} and then multiply by {c}.",
        "Every week {name} makes {a} red {x} and {b} blue {x}. How many {x} is that in {c} weeks?",
        "Each of {c} {g}s contains {a} {x} and {b} {y}. How many things are there in total?",
        "A café serves {a} teas and {b} coffees a day. How many drinks does it serve in {c} days?",
        "A kit has {a} long and {b} short {x}. How many {x} are in {c} kits?",
        "{name} runs {a} m in the morning and {b} m in the evening, every day. "
        "How many metres are that in {c} days?",
        "One shift makes {a} {x} and the other makes {b} each day. How many are made in {c} days?",
        "A menu costs {a} euros for food and {b} euros for drinks. What do {c} menus cost?",
        "In each of {c} towns there are {a} boys and {b} girls. How many children is that?",
    ),
    "sum_minus": (
        "What is {a} plus {b} minus {c}?",
        "{a} + {b} - {c}",
        "Add {a} and {b} and then subtract {c}.",
        "{name} has {a} {x}, receives {b} and loses {c}. How many {x} remain?",
        "A depot held {a} {x}. {b} came in and {c} went out. How many does it hold?",
        "{a} people were on a train. {b} got on and {c} got off. How many are on the train?",
        "{name} had {a} euros, earned {b} euros and paid {c} euros. How much is left?",
        "A lake had {a} fish. {b} were set free in it and {c} were caught. How many fish is that?",
        "There were {a} {x} on Friday, {b} were delivered on Saturday and {c} sold on Sunday. "
        "How many were there after that?",
        "A club has {a} members; {b} join and {c} leave. How many members has it then?",
        "{name} picked {a} {x} and {b} {y} and ate {c} of them all. How many are not eaten?",
        "A shop owned {a} {x}, made another {b} and gave {c} away. How many does the shop own now?",
    ),
    "quotient_plus": (
        "What is {a} divided by {b} plus {c}?",
        "{a} / {b} + {c}",
        "Divide {a} by {b} and add {c}.",
        "Divide {a} by {b}, then add {c} to it.",
        "{name} splits {a} {x} evenly into {b} {g}s and then puts {c} more into every {g}. "
        "How many {x} are in a {g}?",
        "{b} heirs share {a} euros equally, and each also gets {c} euros from an aunt. "
        "How much does one heir get?",
        "{a} {x} are divided among {b} shops. A shop that already had {c} {x} now has how many?",
        "{b} workers share {a} tasks equally and each has {c} tasks of their own. "
        "How many tasks does each worker have?",
        "A rent of {a} euros is split evenly by {b} people, and each pays {c} euros for heating. "
        "What does one person pay?",
        "{a} {x} go in equal numbers to {b} rooms; every room had {c} {x} before. "
        "How many {x} does a room have?",
    ),
    "difference_shared": (
        "What is {a} minus {b}, all divided by {c}?",
        "({a} - {b}) / {c}",
        "Take {b} from {a} and divide what is left by {c}.",
        "Subtract {b} from {a} and divide by {c}.",
        "{name} has {a} {x}, keeps {b} and shares the others equally among {c} friends. "
        "How many does a friend get?",
        "Of {a} {x}, {b} are broken; the remaining ones are packed equally into {c} {g}s. "
        "How many are in one {g}?",
        "A prize of {a} euros is taxed {b} euros, and {c} winners share what remains. "
        "How much does each winner get?",
        "A road of {a} m has {b} m finished. {c} teams do equal parts of the other metres. "
        "How many metres does each team do?",
        "A company made {a} {x} and stored {b}. It sent the remainder in equal parts to {c} shops. "
        "How many did a shop get?",
        "{name} collected {a} {x} and threw away {b}. The others were split evenly over {c} {g}s. "
        "How many went into each {g}?",
    ),
    "sum_of_three": (
        "What is {a} plus {b} plus {c}?",
        "{a} + {b} + {c}",
        "{name} counted {a} {x}, {b} {y} and {c} lamps. How many things are that together?",
        "Three towns have {a}, {b} and {c} people. How many people live in the three?",
    ),
    "product_of_three": (
        "{a} * {b} * {c}",
        "A depot has {a} halls with {b} {g}s each, and {c} {x} in every {g}. How many {x} is that?",
        "What is {a} times {b} times {c}?",
    ),
    "percent": (
        "What is {a} percent of {b}?",
        "How many {x} are {a}% of {b} {x}?",
    ),
    "square": ("What is the square of {a}?", "What is {a} squared?"),
}
"""Four families more than the demo asks: the adapter should know more than its examination."""

EXPRESSIONS = {
    "sum_of_three": "{a}+{b}+{c}",
    "product_of_three": "{a}*{b}*{c}",
    "percent": "{b}*{a}/100",
    "square": "{a}*{a}",
}
